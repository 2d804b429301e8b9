// A bot that plays a random legal action. Change `act` to make it your own.
//
// The referee writes one JSON object per line to the bot's stdin and reads the answers from its
// stdout. Output of console.error goes to the bot's log.
"use strict";

const games = []; // the games that the bot plays, such as ["pot-de-vin"]; empty for all games

// Return one of the legal actions. `view` contains what your seat knows. The rules of the game
// describe its fields; console.error(view) writes it to your log. `table` is the `start` message,
// with your seat and the number of seats. Replaying a game gives the same table.random() numbers.
function act(view, legal, table) {
  return legal[table.random() % legal.length];
}

// Return a random generator with the given seed.
function generator(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return Number(state >> 33n);
  };
}

const tables = new Map(); // the games in progress, by table number

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function receive(message) {
  switch (message.type) {
    case "hello":
      send({ type: "ready", protocol: 1, games });
      break;
    case "start":
      tables.set(message.table, { ...message, random: generator(message.seed) });
      break;
    case "turn": {
      const action = act(message.view, message.legal, tables.get(message.table));
      send({ type: "act", table: message.table, turn: message.turn, action });
      break;
    }
    case "end":
      tables.delete(message.table);
      break;
    case "bye":
      process.exit(0);
  }
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => receive(JSON.parse(line)));
