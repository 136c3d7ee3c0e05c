// A bot for every game of Oboro: C++17, no dependencies. It plays at random by its seed.
//
//     g++ -std=c++17 -O2 -o my-bot examples/bots/bot.cpp
//     oboro check labyrinth exec:./my-bot
//     oboro match labyrinth exec:./my-bot random random random --games 100
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

using std::string;

// Skips the JSON value that starts at `i` and returns where it ends: enough of a parser for a bot that needs few fields.
static size_t skip(const string& s, size_t i) {
    int depth = 0;
    do {
        if (s[i] == '"') {
            for (++i; s[i] != '"'; ++i)
                if (s[i] == '\\') ++i;
        } else if (s[i] == '{' || s[i] == '[') {
            ++depth;
        } else if (s[i] == '}' || s[i] == ']') {
            --depth;
        }
        ++i;
    } while (i < s.size() && (depth > 0 || (s[i] != ',' && s[i] != '}' && s[i] != ']' && s[i] != ':')));
    return i;
}

// The text of a field of the outermost object; empty if there is none. Lines come without spaces between tokens.
static string field(const string& line, const string& name) {
    for (size_t i = 1; i < line.size() && line[i] == '"';) {
        size_t colon = skip(line, i), end = skip(line, colon + 1);
        if (line.compare(i, colon - i, '"' + name + '"') == 0) return line.substr(colon + 1, end - colon - 1);
        i = end + 1;
    }
    return "";
}

// The elements of an array, as JSON texts: a string keeps its quotes.
static std::vector<string> elements(const string& array) {
    std::vector<string> found;
    for (size_t i = 1; i + 1 < array.size();) {
        size_t end = skip(array, i);
        found.push_back(array.substr(i, end - i));
        i = end + 1;
    }
    return found;
}

int main() {
    std::ios::sync_with_stdio(false);
    std::mt19937_64 random;
    for (string line; std::getline(std::cin, line);) {
        const string type = field(line, "type");
        if (type == "\"hello\"") {
            std::cout << R"({"type":"hello","protocol":1,"name":"example in C++"})" << std::endl;
        } else if (type == "\"new-game\"") {
            random.seed(std::stoull(field(line, "seed")));
        } else if (type == "\"turn\"") {
            // field(line, "scene") is all that your seat knows; here only the legal actions matter.
            const std::vector<string> actions = elements(field(line, "actions"));
            std::cout << R"({"type":"action","action":)" << actions[random() % actions.size()] << '}' << std::endl;
        } else if (type == "\"quit\"") {
            break;
        }
    }
}
