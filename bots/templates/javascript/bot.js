// A bot that plays any legal action. Change `act`, and it is yours.
//
// The referee writes one JSON object a line to the bot's stdin and reads the answers from its
// stdout. What the bot prints with console.error goes to its log.
"use strict";

const games = []; // the games that it plays, as ["pot-de-vin"]; none stands for all

// Return one of the legal actions. `view` is what your seat may know: the rules of the game say what
// is in it, and so does console.error(view). `table` is what `start` said: your seat, the number
// of seats, and a seed for your dice.
function act(view, legal, table) {
  return legal[table.random() % legal.length];
}

// Dice that fall the same way whenever the same game is played again (a linear congruence).
function dice(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return Number(state >> 33n);
  };
}

const tables = new Map(); // several games can be under way, told apart by the table's number

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function hear(message) {
  switch (message.type) {
    case "hello":
      say({ type: "ready", protocol: 1, games });
      break;
    case "start":
      tables.set(message.table, { ...message, random: dice(message.seed) });
      break;
    case "turn": {
      const action = act(message.view, message.legal, tables.get(message.table));
      say({ type: "act", table: message.table, turn: message.turn, action });
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
  .on("line", (line) => hear(JSON.parse(line)));
