// A bot that plays a random legal action. Change `act` to make it your own.
//
// The referee writes one JSON object per line to the bot's stdin and reads the answers from its
// stdout. Output on stderr goes to the bot's log. The rules of the game describe the fields of
// the view.
package main

import (
	"bufio"
	"encoding/json"
	"math/rand"
	"os"
)

// Message contains the fields that this bot uses, of all messages from the referee.
type Message struct {
	Type  string          `json:"type"`
	Table int             `json:"table"`
	Turn  int             `json:"turn"`
	Seed  int64           `json:"seed"`
	Legal []string        `json:"legal"`
	View  json.RawMessage `json:"view"`
}

// act returns one of the legal actions. dice is a random generator with the seed of the game.
func act(message Message, dice *rand.Rand) string {
	return message.Legal[dice.Intn(len(message.Legal))]
}

func main() {
	dice := map[int]*rand.Rand{}
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		var message Message
		if err != nil || json.Unmarshal(line, &message) != nil {
			return
		}
		switch message.Type {
		case "hello":
			answers.Encode(map[string]any{"type": "ready", "protocol": 1})
		case "start":
			dice[message.Table] = rand.New(rand.NewSource(message.Seed))
		case "turn":
			answers.Encode(map[string]any{
				"type": "act", "table": message.Table, "turn": message.Turn,
				"action": act(message, dice[message.Table]),
			})
		case "bye":
			return
		}
	}
}
