// Everything the interface says, in both languages.
import { signal } from "@preact/signals";
import type { Phrase } from "./types";

export type Language = "en" | "ja";

const stored = (() => {
  try {
    return localStorage.getItem("oboro-language");
  } catch {
    return null;
  }
})();

export const language = signal<Language>(
  stored === "en" || stored === "ja" ? stored : navigator.language.startsWith("ja") ? "ja" : "en",
);

export function speak(next: Language) {
  language.value = next;
  document.documentElement.lang = next;
  try {
    localStorage.setItem("oboro-language", next);
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The name this browser last sat down with. */
export function ownName(): string {
  try {
    return localStorage.getItem("oboro-name") ?? "";
  } catch {
    return "";
  }
}

export function keepName(name: string) {
  try {
    localStorage.setItem("oboro-name", name.trim());
  } catch {
    // Asked again next time, then.
  }
}

export const phrase = (text: Phrase): string => text[language.value];

const words = {
  play: ["Play", "対局"],
  watch: ["Watch", "観戦"],
  records: ["Records", "棋譜"],
  rules: ["Rules", "ルール"],
  you: ["You", "あなた"],
  yourTurn: ["Your turn", "あなたの番です"],
  theirTurn: ["{0}'s turn", "{0}の番です"],
  thinking: ["{0} is thinking…", "{0}が考えています…"],
  over: ["The game is over", "終局"],
  forced: ["Only one action is legal", "合法手は一つだけです"],
  actions: ["Actions", "手の一覧"],
  find: ["Find or type an action", "手を探す・入力する"],
  story: ["Story", "経過"],
  analysis: ["Analysis", "解析"],
  analyst: ["Analyst", "解析するエージェント"],
  start: ["Start", "始める"],
  stop: ["Stop", "止める"],
  takeBack: ["Take back", "待った"],
  hint: ["Hint", "ヒント"],
  resign: ["Resign", "投了"],
  again: ["Again", "もう一度"],
  swapped: ["Again, seats changed", "席を替えてもう一度"],
  won: ["You won", "あなたの勝ち"],
  lost: ["You lost", "あなたの負け"],
  drawn: ["A draw", "引き分け"],
  connecting: ["Connecting…", "接続しています…"],
  lostConnection: ["Connection lost; trying again…", "接続が切れました。再接続しています…"],
  takenOver: ["This seat is now played in another window.", "この席は別のウィンドウで使われています。"],
  takeOver: ["Play here", "ここで続ける"],
  closed: ["This table is closed: {0}", "この卓は閉じられました：{0}"],
  noTable: ["There is no such table any more.", "この卓はもうありません。"],
  newGame: ["New game", "新しい対局"],
  intro: ["Four games in which you never see everything. Choose one and play against our agents, or let them play and look into their minds.", "すべては見えない4つのゲーム。エージェントと対局するか、エージェント同士の対局を眺めて考えを覗いてみましょう。"],
  hinted: ["Hint: {0}", "ヒント：{0}"],
  asking: ["Looking for a hint…", "ヒントを探しています…"],
  sure: ["Really resign?", "本当に投了しますか？"],
  inviteHint: ["Send this address to whoever plays {0}:", "{0}の人にこのアドレスを送ってください："],
  playToo: ["Play {0} here too", "{0}もここで打つ"],
  chooseCard: ["Choose a card of your hand", "手札を選んでください"],
  chooseSpot: ["Choose where it goes, or put it away", "置く場所を選ぶか、捨ててください"],
  chooseGhost: ["Choose a ghost, then a square", "おばけを選び、行き先を選んでください"],
  notYourTurn: ["Nothing to choose: it is not your turn.", "今はあなたの番ではありません。"],
  gameOverList: ["The game is over. Step through it with ← and →.", "終局しました。← と → で振り返れます。"],
  game: ["Game", "ゲーム"],
  opponent: ["Opponent", "相手"],
  opponents: ["Opponents", "相手"],
  seat: ["Seat", "席"],
  yourSeat: ["Your seat", "あなたの席"],
  players: ["Players", "人数"],
  who: ["Players", "対局者"],
  easy: ["Easy", "弱い"],
  medium: ["Medium", "普通"],
  hard: ["Hard", "強い"],
  custom: ["Any agent", "エージェントを指定"],
  person2: ["Another person", "別の人"],
  watchOnly: ["Nobody: let agents play", "観戦のみ（エージェント同士）"],
  options: ["Rule options", "ルールの設定"],
  seed: ["Seed", "乱数の種"],
  seedHint: ["left empty, a new one", "空欄なら新しく決めます"],
  sit: ["Sit down", "着席する"],
  rating: ["rating {0}", "レーティング {0}"],
  name: ["Your name", "お名前"],
  first: ["first", "先手"],
  openRecord: ["Open a record", "棋譜を開く"],
  recordFile: ["A file that Oboro wrote", "朧が書き出した棋譜ファイル"],
  noRecords: ["No folder of records was given. Start with: oboro view DIR", "棋譜のフォルダが指定されていません。oboro view DIR で起動してください。"],
  filter: ["Filter", "絞り込み"],
  result: ["Result", "結果"],
  plies: ["Actions", "手数"],
  eyes: ["Seen by", "視点"],
  everything: ["Everything shown", "すべて表示"],
  spectator: ["Spectator", "観戦者"],
  firstPly: ["To the start", "最初へ"],
  previous: ["Back", "前へ"],
  next: ["Forward", "次へ"],
  lastPly: ["To the end", "最後へ"],
  live: ["Follow the game", "対局に戻る"],
  download: ["Record", "棋譜"],
  picture: ["Picture", "画像"],
  animation: ["Animation", "アニメーション"],
  link: ["Link", "リンク"],
  copied: ["Copied", "コピーしました"],
  speed: ["Speed", "速さ"],
  pause: ["Pause", "停止"],
  value: ["value", "評価"],
  playouts: ["playouts", "プレイアウト"],
  believes: ["What {0} believes", "{0}の推測"],
  byCounting: ["by counting", "数え上げ"],
  curve: ["Where was it lost?", "どこで負けた？"],
  curveHint: ["Value of each of your decisions; marked: those that lost most", "あなたの各手の評価。印は最も損をした手"],
  worst: ["Lost most", "最も損をした手"],
  insteadOf: ["{0} instead of {1}", "{1}より{0}"],
  light: ["Light", "明るく"],
  dark: ["Dark", "暗く"],
  place: ["Choose your four red ghosts", "赤いおばけを4つ選んでください"],
  placed: ["Start with these", "この配置で始める"],
  shuffle: ["Another placement", "別の配置"],
  escape: ["Escape", "脱出"],
  red: ["red", "赤"],
  blue: ["blue", "青"],
  captured: ["Captured", "取った駒"],
  short: ["Short rules", "かんたんルール"],
  keys: ["Keys: ← → step, Home and End to the ends, A analysis, / actions", "キー：← → で前後、Home・Endで端、Aで解析、/で手の一覧"],
  error: ["Error", "エラー"],
  rooms: ["Rooms", "部屋"],
  roomsIntro: ["Play with other people, each at their own screen. Join an open room, or open one and hand its code on.", "それぞれの端末から、ほかの人と対局します。開いている部屋に入るか、部屋を開いて番号を知らせてください。"],
  openRooms: ["Open rooms", "開いている部屋"],
  noRooms: ["No room is open just now.", "今は開いている部屋がありません。"],
  openRoom: ["Open a room", "部屋を開く"],
  code: ["Code of a room", "部屋の番号"],
  codeIs: ["The code of this room:", "この部屋の番号："],
  join: ["Join", "入る"],
  freeSeats: ["{0} free seats", "空席 {0}"],
  playing: ["{0} actions played", "{0}手目"],
  clock: ["Clock", "持ち時間"],
  noClock: ["none", "なし"],
  perMove: ["{0} s for each move", "1手{0}秒"],
  perGame: ["{0} min for the game", "1局{0}分"],
  timeUp: ["When time is up", "時間切れのとき"],
  timeUpAgent: ["an agent plays on", "エージェントが代わりに打つ"],
  timeUpLose: ["the game is lost", "負け"],
  free: ["free", "空席"],
  standIn: ["Agent for empty seats", "空席のエージェント"],
  listed: ["Show in the list of open rooms", "一覧に載せる"],
  allowHints: ["Allow hints and analysis during the game", "対局中のヒントと検討を許可する"],
  commitment: ["Hash of the deal's seed:", "配りの乱数種のハッシュ値："],
  commitmentHint: ["The server has fixed the deal. After the game the record has the seed; `oboro replay --verify` checks that it has this hash.", "配りはすでに決まっています。終局後の棋譜に乱数種が載り、`oboro replay --verify` で照合できます。"],
  inviteAll: ["Send this address to everybody who plays or watches:", "参加者・観戦者にこのアドレスを送ってください："],
  standUp: ["Give seat free", "席を空ける"],
  agent: ["agent", "エージェント"],
  away: ["away", "不在"],
  begin: ["Begin", "始める"],
  beginWith: ["Begin, with agents at {0} seats", "始める（{0}席はエージェント）"],
  beginHint: ["The game begins when all seats are taken, or when you begin it: {0} takes the seats still free.", "全席が埋まるか、あなたが始めると開始します。空席には {0} が入ります。"],
  waitHint: ["The game begins when all seats are taken, or when whoever opened the room begins it.", "全席が埋まるか、部屋を開いた人が始めると開始します。"],
  sitHint: ["Say your name and take a seat, or wait here and watch.", "お名前を入れて席に着くか、このまま観戦できます。"],
  standsIn: ["agent plays on", "代打ち中"],
  comeBack: ["Play on yourself", "自分で続ける"],
  letAgentPlay: ["Leave to an agent", "エージェントに任せる"],
  events: ["Events", "大会"],
  eventsIntro: ["Tournaments of people and agents: everybody meets everybody, or others who stand alike.", "人とエージェントの大会。総当たり戦、またはスイス式です。"],
  noEvents: ["There is no event just now.", "今は大会がありません。"],
  swiss: ["Swiss", "スイス式"],
  roundRobin: ["Round robin", "総当たり戦"],
  gathering: ["People enter", "参加受付中"],
  runningRound: ["Round {0} of {1}", "第{0}回戦（全{1}回戦）"],
  eventOver: ["Over", "終了"],
  entrants: ["{0} take part", "参加者 {0}"],
  standings: ["Standings", "順位表"],
  rank: ["Rank", "順位"],
  pointsOf: ["Points", "得点"],
  gamesOf: ["Games", "対局数"],
  wonDrawnLost: ["Won–drawn–lost", "勝–分–敗"],
  faults: ["Forfeits", "不戦・反則"],
  ratingOf: ["Rating (95 %)", "レーティング（95％）"],
  notIdentifiable: ["Somebody has never lost, or never made a point: for the ratings one draw against an average player was added for each.", "全勝または無得点の参加者がいるため、レーティングの計算では各自に平均的な相手との引き分けを1局加えています。"],
  pointsHint: ["Points of a game: the share of the others at the table whom one beat; a tie counts half. Whoever does not come gets nothing.", "1局の得点は、同卓の相手のうち上回った割合（同点は半分）です。不参加は0点です。"],
  house: ["house", "主催側"],
  hasLeft: ["left", "棄権"],
  roundNumber: ["Round {0}", "第{0}回戦"],
  tableNumber: ["Table {0}", "第{0}卓"],
  enterEvent: ["Enter", "参加する"],
  entered: ["You take part as {0}. This page tells you when your game begins; keep it open.", "「{0}」として参加しています。対局が始まるとこのページでお知らせします。開いたままにしてください。"],
  ownLink: ["Your own link, for another device. Whoever has it plays for you:", "別の端末で開くための自分専用のリンク（このリンクを知る人はあなたとして対局できます）："],
  withdraw: ["Withdraw", "棄権する"],
  sureWithdraw: ["Really withdraw?", "本当に棄権しますか？"],
  gameReady: ["Your game has begun", "対局が始まりました"],
  toTable: ["To the table", "卓へ"],
  waitRound: ["Your games of this round are over. Wait for the others.", "この回戦のあなたの対局は終わりました。ほかの卓を待っています。"],
  backToEvent: ["To the event", "大会のページへ"],
  comeIn: ["Whoever is not there {0} s after it is their turn is played for by an agent and gets nothing for a game they never came to.", "手番から{0}秒たっても現れない人の代わりはエージェントが打ちます。一度も来なかった対局は0点です。"],
  comeOrLose: ["Whoever is not there {0} s after it is their turn has lost the game.", "手番から{0}秒たっても現れない人は負けになります。"],
  outAfterTwo: ["Whoever misses two rounds in a row is out.", "2回戦続けて来なかった人は棄権とみなします。"],
  newEvent: ["New event", "大会を開く"],
  eventName: ["Name of the event", "大会の名前"],
  kind: ["Kind", "形式"],
  rounds: ["Rounds", "回戦数"],
  places: ["Places for people", "参加できる人数"],
  agentsIn: ["Agents that take part", "参加するエージェント"],
  absentIs: ["Whoever does not come", "来なかった人は"],
  absentAgent: ["is played for by an agent", "エージェントが代わりに打つ"],
  absentForfeit: ["has lost", "負け"],
  openEvent: ["Set up", "開く"],
  beginEvent: ["Begin the event", "大会を始める"],
  endEvent: ["End the event", "大会を終える"],
  sureEnd: ["Really end it?", "本当に終えますか？"],
  remove: ["Remove", "外す"],
  hostOnly: ["Events are set up by whoever runs this server, with the link that `oboro serve --host-link` prints.", "大会はサーバーの管理者が `oboro serve --host-link` のリンクから開きます。"],
  perTable: ["At a table", "1卓の人数"],
  nextTable: ["On to the next game", "次の対局へ"],
} as const satisfies Record<string, readonly [string, string]>;

export type Word = keyof typeof words;

/** What the interface says, with `{0}` and so on filled in. */
export function say(word: Word, ...values: (string | number)[]): string {
  const text: string = words[word][language.value === "ja" ? 1 : 0];
  return values.reduce<string>((sentence, value, i) => sentence.replace(`{${i}}`, String(value)), text);
}

/** What people call a player. */
export const player = (seat: number): string => (language.value === "ja" ? `プレイヤー${seat + 1}` : `Player ${seat + 1}`);

export const gameNames: Record<string, [string, string]> = {
  geister: ["Geister", "ガイスター"],
  labyrinth: ["Labyrinth", "ラビリンス"],
  saboteur: ["Saboteur", "お邪魔者"],
  sevens: ["Sevens", "七並べ"],
};

export const gameName = (game: string): string => gameNames[game]?.[language.value === "ja" ? 1 : 0] ?? game;

const taglines: Record<string, [string, string]> = {
  geister: ["Eight ghosts a side; only their owner knows which are good.", "8つのおばけ。良いおばけか悪いおばけかは持ち主だけが知る。"],
  labyrinth: ["Push the maze about and find your treasures first.", "迷路を押し動かし、誰よりも先に宝を集める。"],
  saboteur: ["Dig for gold, and find out who digs against you.", "金鉱を目指して掘る。邪魔をしているのは誰？"],
  sevens: ["Lay cards next to the sevens, and hold back what helps others.", "7の隣に並べ、止めるべき札は止める。"],
};

export const tagline = (game: string): string => taglines[game]?.[language.value === "ja" ? 1 : 0] ?? "";

/** Names and explanations of rule options in Japanese; English comes with the rules themselves. */
const ruleWords: Record<string, [string, string]> = {
  plies: ["最大手数", "両者合わせてこの手数で引き分けになります。"],
  placements: ["配置", "赤の決め方。chosen：最初の手番で各自が選ぶ、random：無作為、ABCD/EFGH：先手と後手の赤を指定、enumerate・pairs:500：実験用の組。相手の配置は見えません。"],
  cards: ["配る枚数", "各プレイヤーに配るカードの枚数。空欄なら24枚を均等に配ります。"],
  "first-corner": ["先手の角", "最初に動くプレイヤーの角。"],
  finish: ["勝利条件", "何をすれば勝ちか。"],
  "turn-limit": ["手番の上限", "各プレイヤーがこの回数だけ動くと引き分けになります。"],
  rounds: ["ラウンド数", "1ゲームのラウンド数（1〜3）。"],
  bounds: ["坑道の範囲", "坑道をどこまで広げられるか。"],
  "face-down-goals": ["裏向きのゴール", "裏向きのゴールの隣に置けるカード。"],
  stones: ["石のカード", "めくられた石のカードの通路。"],
  maps: ["地図", "地図の内容を誰が知るか。"],
  passes: ["パスの回数", "各プレイヤーのパスの回数（0〜7）。これを超えると脱落です。"],
  gaps: ["飛び石", "間の空いたマークで何を置けるか。"],
};

const choiceWords: Record<string, string> = {
  "top-left": "左上", "top-right": "右上", "bottom-right": "右下", "bottom-left": "左下",
  home: "自分の角へ帰る", "last-card": "最後の宝を見つける",
  none: "制限なし", paper: "論文の範囲", three: "三列", any: "何でも", open: "開いている側", curves: "曲がり道",
  private: "見た人だけ", public: "全員", diggers: "金鉱掘り", bridge: "つなげて置ける", strict: "順番どおり",
};

const spaced = (key: string) => key.replaceAll("-", " ");
export const ruleName = (key: string): string => (language.value === "ja" ? (ruleWords[key]?.[0] ?? key) : spaced(key));
export const ruleAbout = (key: string, about: string): string => (language.value === "ja" ? (ruleWords[key]?.[1] ?? about) : about.replaceAll("`", ""));
export const choiceName = (choice: string): string => (language.value === "ja" ? (choiceWords[choice] ?? choice) : spaced(choice));

const measures: Record<string, string> = {
  value: "評価", probability: "確率", worth: "評価値", "worst case": "最悪の場合", "win rate": "勝率", points: "点",
  "mean score": "平均得点", "goals ahead": "リードしている宝", "events seen": "観測数", "cards of progress": "進んだ枚数", "won and paid": "勝ちと金塊",
};
/** What the numbers of an analysis count. */
export const measureName = (measure: string): string => (language.value === "ja" ? (measures[measure] ?? measure) : measure);

/** What the server refuses, in Japanese; what is not known here stays as it is. */
const troubles: [RegExp, string][] = [
  [/^there is no table/, "この卓はもうありません。"],
  [/^there is no record/, "その棋譜はありません。"],
  [/^seat (\d+) is not yours/, "席$1はあなたの席ではありません。"],
  [/^what others see/, "他の人の視点は終局後に見られます。"],
  [/^the game has not come that far/, "対局はまだそこまで進んでいません。"],
  [/^there is nothing to take back/, "戻せる手がありません。"],
  [/^moves are taken back among agents only/, "待ったはエージェントとの対局でのみ使えます。"],
  [/^the curve of a game/, "評価の推移は終局後に描けます。"],
  [/^a pace is for agents/, "速さはエージェント同士の対局で変えられます。"],
  [/too many messages/, "操作が速すぎます。少し待ってください。"],
  [/^(all tables are taken|this table has as many)/, "満席です。しばらくしてからお試しください。"],
  [/^this seat is taken/, "この席は埋まっています。"],
  [/^the game has begun/, "対局はもう始まっています。"],
  [/^the game has not begun/, "対局はまだ始まっていません。"],
  [/^somebody here has this name/, "同じ名前の人がいます。"],
  [/^say your name/, "お名前を入れてください。"],
  [/^you have a seat here/, "すでに着席しています。"],
  [/^the game has gone on/, "対局は先へ進んでいます。"],
  [/^an agent plays for you/, "エージェントが代わりに打っています。先に戻ってください。"],
  [/^your time is used up/, "持ち時間がなくなりました。"],
  [/^no agent is asked here/, "この部屋では終局までヒントと検討は使えません。"],
  [/^among people the server deals/, "人同士の対局ではサーバーが配ります。"],
  [/^(there are too many connections|the memory for agents|your address has its share|too many (connections|requests|analyses))/, "混み合っています。しばらくしてからお試しください。"],
  [/cannot be written down/, "サーバーが記録できないため、この操作は取り消されました。"],
  [/^the agent fell over/, "エージェントが異常終了しました。"],
  [/^the table was closed/, "卓が閉じられました。"],
  [/^there is no event/, "この大会はありません。"],
  [/^the event has begun/, "大会はもう始まっています。"],
  [/^all places of this event/, "この大会は満員です。"],
  [/^an event needs two/, "大会には2名以上の参加者が必要です。"],
  [/^there is another event/, "同じ名前の大会があります。"],
  [/^this is for the host/, "サーバーの管理者だけができます。"],
  [/^no agent is asked during/, "大会の対局中は解析できません。"],
  [/^the others play on/, "ほかの人は続けます。エージェントに任せてください。"],
  [/^nobody plays for you here/, "この大会では代打ちはできません。"],
  [/(agent|spec)/, "エージェントの指定が正しくありません：$&"],
  [/record/, "棋譜として読めません。"],
];

export function trouble(message: string): string {
  if (language.value !== "ja") return message;
  const found = troubles.find(([pattern]) => pattern.test(message));
  if (!found) return message;
  const said = found[0].exec(message)!;
  return found[1].replace("$1", said[1] ?? "").replace("$&", message);
}
