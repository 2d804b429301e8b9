// A bot that plays a random legal action. Change `act` to make it your own.
//
// The referee writes one JSON object per line to the bot's stdin and reads the answers from its
// stdout. Output on stderr goes to the bot's log. This bot extracts only the fields that it needs.
// To read the view, use a JSON library; the rules of the game describe its fields.
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

using Dice = std::mt19937_64;

// Return one of the legal actions. `dice` is a random generator with the seed of the game.
static const std::string &act(const std::vector<std::string> &legal, Dice &dice) {
    return legal[dice() % legal.size()];
}

// Return the number in a field, or 0 if there is no such field.
static unsigned long long number(const std::string &line, const std::string &field) {
    const std::string name = "\"" + field + "\":";
    const auto at = line.find(name);
    return at == std::string::npos ? 0 : std::strtoull(line.c_str() + at + name.size(), nullptr, 10);
}

// Return the legal actions, which contain no quotes. The view may contain the same field name.
static std::vector<std::string> legal_in(const std::string &line) {
    const std::string name = "\"legal\":[\"";
    std::vector<std::string> legal;
    auto at = line.rfind(name);
    if (at == std::string::npos) return legal;
    at += name.size();
    while (true) {
        const auto end = line.find('"', at);
        legal.push_back(line.substr(at, end - at));
        if (line[end + 1] != ',') return legal;
        at = end + 3;
    }
}

int main() {
    std::map<unsigned long long, Dice> dice;
    const auto is = [](const std::string &line, const std::string &type) {
        return line.rfind("{\"type\":\"" + type + "\"", 0) == 0;
    };
    for (std::string line; std::getline(std::cin, line);) {
        const auto table = number(line, "table");
        if (is(line, "hello")) {
            std::cout << "{\"type\":\"ready\",\"protocol\":1}" << std::endl;
        } else if (is(line, "start")) {
            dice[table] = Dice(number(line, "seed"));
        } else if (is(line, "turn")) {
            std::cout << "{\"type\":\"act\",\"table\":" << table
                      << ",\"turn\":" << number(line, "turn") << ",\"action\":\""
                      << act(legal_in(line), dice[table]) << "\"}" << std::endl;
        } else if (is(line, "bye")) {
            break;
        }
    }
}
