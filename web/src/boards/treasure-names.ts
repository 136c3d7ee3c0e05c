// The treasures of Labyrinth in English and Japanese. Made from the game's own names by catalog/tests/web_types.rs
// (`cargo xtask bless` writes it anew); not to be edited.

export const treasureNames: Record<string, readonly [string, string]> = {
  "helmet": ["helmet", "兜"],
  "candles": ["candles", "燭台"],
  "sword": ["sword", "剣"],
  "gem": ["gem", "宝石"],
  "chest": ["chest", "宝箱"],
  "ring": ["ring", "指輪"],
  "skull": ["skull", "ドクロ"],
  "keys": ["keys", "鍵"],
  "crown": ["crown", "王冠"],
  "map": ["map", "地図"],
  "gold-bag": ["gold bag", "金貨の袋"],
  "book": ["book", "本"],
  "beetle": ["beetle", "コガネムシ"],
  "moth": ["moth", "蛾"],
  "owl": ["owl", "フクロウ"],
  "rat": ["rat", "ネズミ"],
  "salamander": ["salamander", "トカゲ"],
  "spider": ["spider", "クモ"],
  "bat": ["bat", "コウモリ"],
  "dragon": ["dragon", "ドラゴン"],
  "fairy": ["fairy", "妖精"],
  "genie": ["genie", "魔神"],
  "ghost": ["ghost", "幽霊"],
  "troll": ["troll", "トロール"],
};
