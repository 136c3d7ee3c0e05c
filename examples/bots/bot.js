#!/usr/bin/env node
// A bot for every game of Oboro: JavaScript (node), no dependencies. It plays at random by its seed.
//
//     oboro check sevens "exec:node examples/bots/bot.js"
//     oboro match sevens "exec:node examples/bots/bot.js" random random random --games 100
"use strict";

/** A small random stream of 32 bits (mulberry32): the same seed, the same game. */
function stream(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let random = stream(0);

/** The answer to a message, or nothing where none is wanted. */
function answer(message) {
  switch (message.type) {
    case "hello":
      return { type: "hello", protocol: 1, name: "example in JavaScript" };
    case "new-game":
      random = stream(message.seed % 4294967296);
      return undefined;
    case "turn": {
      // message.scene is all that your seat knows; message.actions are the legal ones.
      const action = message.actions[Math.floor(random() * message.actions.length)];
      return { type: "action", action };
    }
    case "quit":
      process.exit(0);
      return undefined;
    default:
      return undefined; // event, game-over, and whatever a later version says
  }
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const said = answer(JSON.parse(line));
    if (said) process.stdout.write(JSON.stringify(said) + "\n");
  }
});
