// A bot that plays a random legal action. Change `act` to make it your own.
//
// The referee writes one JSON object per line to the bot's stdin and reads the answers from its
// stdout. Output on stderr goes to the bot's log. This bot extracts only the fields that it needs.
// To read the view, use a JSON library; the rules of the game describe its fields.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// Return one of the legal actions. `dice` is a random generator with the seed of the game.
fn act<'a>(legal: &[&'a str], dice: &mut u64) -> &'a str {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    legal[(*dice >> 33) as usize % legal.len()]
}

/// Return the number in a field, or 0 if there is no such field.
fn number(line: &str, field: &str) -> u64 {
    let name = format!("\"{}\":", field);
    let Some(at) = line.find(&name) else { return 0 };
    let digits = line[at + name.len()..].split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Return the legal actions, which contain no quotes. The view may contain the same field name.
fn legal(line: &str) -> Vec<&str> {
    let name = "\"legal\":[\"";
    let Some(at) = line.rfind(name) else { return Vec::new() };
    let list = &line[at + name.len()..];
    list[..list.find("\"]").unwrap_or(0)].split("\",\"").collect()
}

fn main() {
    let mut dice: HashMap<u64, u64> = HashMap::new();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let table = number(&line, "table");
        if line.starts_with("{\"type\":\"hello\"") {
            println!("{{\"type\":\"ready\",\"protocol\":1}}");
        } else if line.starts_with("{\"type\":\"start\"") {
            dice.insert(table, number(&line, "seed"));
        } else if line.starts_with("{\"type\":\"turn\"") {
            let action = act(&legal(&line), dice.entry(table).or_insert(0));
            let turn = number(&line, "turn");
            println!(
                "{{\"type\":\"act\",\"table\":{},\"turn\":{},\"action\":\"{}\"}}",
                table, turn, action
            );
        } else if line.starts_with("{\"type\":\"bye\"") {
            break;
        }
        let _ = out.flush();
    }
}
