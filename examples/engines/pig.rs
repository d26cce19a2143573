// Pig as a live engine in Rust (docs/engines.md): rustc -O pig.rs. Replace DECLARATION and `play` by your own game.
// It reads no more of a message than Pig needs; a JSON crate such as serde_json reads all of it.
use std::io::{stdin, stdout, BufRead, Write};

const DECLARATION: &str = r#"{"bartizan": 1, "name": "pig", "title": "Pig", "players": 2, "score": "points",
 "settings": [{"name": "goal", "default": 100, "min": 1, "max": 1000, "about": "points that win"},
              {"name": "sides", "default": 6, "min": 2, "max": 20, "about": "sides of the die"}],
 "policies": [{"name": "hold", "about": "holds when a turn brought `at` points", "weights": {"at": 20}},
              {"name": "random", "about": "rolls or holds with equal chance"}],
 "columns": {"busts": "turns lost to a 1"}}"#;

/// The text behind `"key":` in a message.
fn after<'a>(message: &'a str, key: &str) -> &'a str {
    let (_, text) = message.split_once(&format!("\"{key}\"")).unwrap_or((message, ""));
    text.trim_start_matches([':', ' '])
}

fn number(text: &str) -> f64 {
    text.split([',', '}', ']']).next().unwrap().trim().parse().unwrap_or(0.0)
}

fn list<'a>(message: &'a str, key: &str) -> Vec<&'a str> {
    let inside = after(message, key).trim_start_matches('[').split(']').next().unwrap();
    inside.split(',').map(|item| item.trim().trim_matches('"')).collect()
}

/// A number from 0 to 1 by SplitMix64: all luck comes from the seed.
fn luck(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E3779B97F4A7C15);
    let mut z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn play(seed: &str, message: &str) -> String {
    let (goal, sides) = (number(after(message, "goal")), number(after(message, "sides")));
    let (policies, weights) = (list(message, "policies"), list(message, "weights"));
    let (mut state, mut banked) = (seed.parse().unwrap(), [0f64; 2]);
    let (mut stake, mut mover, mut turns, mut busts) = (0.0, 0, 1, 0);
    while banked[0].max(banked[1]) < goal {
        let is_enough = stake >= number(after(weights[mover], "at")) || banked[mover] + stake >= goal;
        let holds = if policies[mover] == "random" { luck(&mut state) < 0.5 } else { is_enough };
        let pips = if holds { 0.0 } else { 1.0 + (luck(&mut state) * sides).floor() };
        if pips > 1.0 { stake += pips; continue; }
        if holds { banked[mover] += stake } else { busts += 1 }
        if banked[mover] < goal { (mover, stake, turns) = (1 - mover, 0.0, turns + 1) }
    }
    let end = format!("\"winner\": {}, \"turns\": {turns}, \"scores\": {banked:?}, \"busts\": {busts}", mover + 1);
    format!("{{\"seed\": {seed}, {end}}}\n")
}

fn main() {
    for message in stdin().lock().lines().map(Result::unwrap) {
        let seeds = list(&message, "seeds");
        let games: String = seeds.iter().filter(|seed| !seed.is_empty()).map(|seed| play(seed, &message)).collect();
        let is_hello = after(&message, "message").starts_with("\"hello\"");
        let last = if is_hello { DECLARATION.replace('\n', "") } else { format!("{{\"done\": {}}}", seeds.len()) };
        stdout().write_all((games + &last + "\n").as_bytes()).unwrap();
    }
}
