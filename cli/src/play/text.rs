//! The smallest front end over a live game: lines in, lines out.

use crate::position::in_words;
use anyhow::Result;
use oboro_catalog::{ActionReport, AnyLive, CatalogError};
use oboro_core::{LiveError, Perspective, Phrase, Seat, Seed, Stop};
use oboro_report::Language;
use std::io::{BufRead, Write};

/// The language that the usual variables ask for.
pub(super) fn language_of_environment() -> Language {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    if named.is_some_and(|name| name.starts_with("ja")) {
        Language::Japanese
    } else {
        Language::English
    }
}

/// Actions listed before the rest is left out; a number above it may still be chosen.
const LISTED: usize = 40;

const HELP_EN: &str = "\
an action       as it is written in the list, or its number there
list [words]    all actions, or those whose text holds the words
hint [agent]    what an agent thinks, after seeing what you saw
back            take your last move back
show            the board again        story   what happened so far
save FILE       the game so far, for `oboro replay` and `oboro analyse --record`
resign          give the game up       quit    leave
";

const HELP_JA: &str = "\
手              一覧にある書き方、または一覧の番号
list [語]       すべての手、または語を含む手
hint [agent]    あなたが見たものを見たうえでのエージェントの考え
back            自分の最後の手を戻す
show            盤面をもう一度         story   これまでの経過
save FILE       ここまでの記録を保存（`oboro replay`、`oboro analyse --record` で読める）
resign          投了                   quit    終わる
";

/// One person at a terminal, at one seat or several.
pub(super) struct Sitting<'a> {
    live: Box<dyn AnyLive>,
    own: &'a [usize],
    /// Who is asked for hints.
    adviser: String,
    seed: Seed,
    language: Language,
    /// How much of the story has been told.
    told: usize,
    /// How many hints were given: each has a random stream of its own.
    hints: u64,
}

enum Next {
    Played,
    Stay,
    Leave,
}

impl<'a> Sitting<'a> {
    pub(super) fn new(
        live: Box<dyn AnyLive>,
        own: &'a [usize],
        adviser: String,
        seed: Seed,
        language: Language,
    ) -> Sitting<'a> {
        Sitting { live, own, adviser, seed, language, told: 0, hints: 0 }
    }

    /// Plays until the game is over or the person leaves.
    pub(super) fn run(mut self, mut input: impl BufRead, out: &mut impl Write) -> Result<()> {
        let names: Vec<String> =
            self.live.seats().iter().map(|s| format!("{} {}", s.seat, s.name)).collect();
        writeln!(out, "{}: {} (seed {})", self.live.game(), names.join(" | "), self.seed)?;
        while let Some(seat) = self.live.to_act() {
            if !self.own.contains(&seat) {
                match self.live.step() {
                    Ok(_) => continue,
                    Err(error @ CatalogError::Live(LiveError::GaveUp(..))) => {
                        writeln!(out, "{}", self.refusal(&error))?;
                        break;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            self.tell(seat, out)?;
            self.draw(seat, out)?;
            loop {
                write!(out, "{} {seat}> ", self.say("seat", "席"))?;
                out.flush()?;
                let mut line = String::new();
                if input.read_line(&mut line)? == 0 {
                    return Ok(());
                }
                match self.obey(seat, line.trim(), out)? {
                    Next::Stay => {}
                    Next::Played => break,
                    Next::Leave => return Ok(()),
                }
            }
        }
        self.tell(self.own[0], out)?;
        writeln!(out, "{}", self.live.drawing(Perspective::Everything)?.trim_end())?;
        let outcome = self.live.outcome().expect("nobody is to move: it is over");
        for seat in 0..outcome.payoffs.len() {
            let you =
                if self.own.contains(&seat) { self.say(" (you)", "（あなた）") } else { "" };
            let worth = self.worth(&outcome.payoffs, seat);
            writeln!(out, "{} {seat}{you}: {worth}", self.say("seat", "席"))?;
        }
        Ok(())
    }

    fn say<'t>(&self, en: &'t str, ja: &'t str) -> &'t str {
        self.language.say(en, ja)
    }

    fn phrase<'t>(&self, phrase: &'t Phrase) -> &'t str {
        self.say(&phrase.en, &phrase.ja)
    }

    /// What the game was worth to a seat: its rank where several share in fractions, the number otherwise.
    fn worth(&self, payoffs: &[f64], seat: usize) -> String {
        let own = payoffs[seat];
        let is_whole = payoffs.iter().all(|payoff| payoff.fract() == 0.0);
        if payoffs.len() < 3 || is_whole {
            return own.to_string();
        }
        let rank = 1 + payoffs.iter().filter(|other| **other > own + 1e-9).count();
        match self.language {
            Language::English => format!("#{rank}"),
            Language::Japanese => format!("{rank}位"),
        }
    }

    /// Why something cannot be done, in the language of the person.
    fn refusal(&self, error: &CatalogError) -> String {
        if self.language == Language::English {
            return error.to_string();
        }
        match error {
            CatalogError::Live(LiveError::Illegal(_, illegal)) => {
                format!("`{}` はここでは指せません。", illegal.action)
            }
            CatalogError::Action(error) => {
                format!("`{}` は手として読めません（{}文字目）。", error.text, error.column())
            }
            CatalogError::Live(LiveError::GaveUp(seat, reason)) => {
                format!("席 {seat} が対局を放棄しました：{reason}")
            }
            CatalogError::Live(LiveError::Over) => "対局は終わっています。".to_owned(),
            CatalogError::Live(LiveError::Oracle) => {
                "隠れた情報を見るエージェントには聞けません。".to_owned()
            }
            CatalogError::Spec(error) => format!("エージェントの指定が正しくありません：{error}"),
            other => format!("できませんでした：{other}"),
        }
    }

    fn obey(&mut self, seat: usize, line: &str, out: &mut impl Write) -> Result<Next> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => {}
            "help" | "?" => write!(out, "{}", self.say(HELP_EN, HELP_JA))?,
            "quit" | "exit" => return Ok(Next::Leave),
            "list" => self.list(rest, out)?,
            "show" => self.draw(seat, out)?,
            "story" => {
                self.told = 0;
                self.tell(seat, out)?;
            }
            "hint" => self.hint(seat, rest, out)?,
            "back" => return self.back(seat, out),
            "save" => self.save(rest, out)?,
            "resign" => {
                self.live.forfeit(seat, "resigned")?;
                return Ok(Next::Played);
            }
            _ => return self.act(seat, line, out),
        }
        Ok(Next::Stay)
    }

    fn act(&mut self, seat: usize, line: &str, out: &mut impl Write) -> Result<Next> {
        let numbered = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let listed = numbered.and_then(|n| self.live.actions().get(n).cloned());
        match self.live.play(seat, listed.as_deref().unwrap_or(line)) {
            Ok(()) => Ok(Next::Played),
            Err(error) => {
                let help = self.say(
                    "`list` lists the actions, `help` helps",
                    "`list` で手の一覧、`help` で説明",
                );
                writeln!(out, "{}\n{help}", self.refusal(&error))?;
                Ok(Next::Stay)
            }
        }
    }

    /// What happened since the person last looked.
    fn tell(&mut self, seat: usize, out: &mut impl Write) -> Result<()> {
        for event in self.live.story(Perspective::Seat(Seat::new(seat)), self.told)? {
            writeln!(out, "{:>3}. {}", event.ply, self.phrase(&event.text))?;
        }
        self.told = self.live.plies();
        Ok(())
    }

    fn draw(&self, seat: usize, out: &mut impl Write) -> Result<()> {
        writeln!(out, "\n{}", self.live.drawing(Perspective::Seat(Seat::new(seat)))?.trim_end())?;
        let actions = self.live.described_actions();
        if let [only] = &actions[..] {
            let forced = self.say("only one action is legal:", "合法手は一つ:");
            writeln!(out, "{forced} {}", self.line(0, only))?;
        } else {
            let count =
                self.say("legal actions; `list` shows them", "通りの合法手（`list` で一覧）");
            writeln!(out, "{} {count}", actions.len())?;
        }
        Ok(())
    }

    fn line(&self, number: usize, action: &ActionReport) -> String {
        format!("{:>4}  {:<12} {}", number + 1, action.action, self.phrase(&action.text))
    }

    fn list(&self, words: &str, out: &mut impl Write) -> Result<()> {
        let actions = self.live.described_actions();
        let lines: Vec<String> =
            actions.iter().enumerate().map(|(n, action)| self.line(n, action)).collect();
        let fitting: Vec<&String> = lines.iter().filter(|line| line.contains(words)).collect();
        for line in fitting.iter().take(LISTED) {
            writeln!(out, "{line}")?;
        }
        if fitting.len() > LISTED {
            let more = self
                .say("more: `list WORDS` shows fewer", "手が残っています: `list 語` で絞れます");
            writeln!(out, "… {} {more}", fitting.len() - LISTED)?;
        }
        Ok(())
    }

    fn hint(&mut self, seat: usize, agent: &str, out: &mut impl Write) -> Result<()> {
        let agent = if agent.is_empty() { &self.adviser } else { agent };
        self.hints += 1;
        let seeds = self.seed.child("hints").game(self.hints, self.hints);
        match self.live.consult(seat, agent, &seeds) {
            Ok(consultation) => {
                write!(out, "{}", in_words(&consultation.run(&Stop::new()), 10))?;
            }
            Err(error) => writeln!(out, "{}", self.refusal(&error))?,
        }
        Ok(())
    }

    /// Takes actions back until the person is to move again at an earlier place.
    fn back(&mut self, seat: usize, out: &mut impl Write) -> Result<Next> {
        let plies = self.live.plies();
        let earlier = (0..plies)
            .rev()
            .find(|&ply| self.live.at(ply).is_ok_and(|live| live.to_act() == Some(seat)));
        let Some(ply) = earlier else {
            writeln!(out, "{}", self.say("there is nothing to take back", "戻す手がありません"))?;
            return Ok(Next::Stay);
        };
        self.live.take_back(plies - ply)?;
        self.told = self.told.min(ply);
        Ok(Next::Played)
    }

    fn save(&self, file: &str, out: &mut impl Write) -> Result<()> {
        if file.is_empty() {
            writeln!(out, "save FILE")?;
            return Ok(());
        }
        match std::fs::write(file, self.live.record().to_string()) {
            Ok(()) => writeln!(out, "{file}")?,
            Err(error) => writeln!(out, "{file}: {error}")?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_catalog::NewGame;

    /// What is printed while a person says these lines in a game of Geister.
    fn said(language: Language, lines: &str) -> Result<String> {
        let request = NewGame {
            game: "geister".to_owned(),
            rules: serde_json::Map::new(),
            seats: vec![None, Some("random".to_owned())],
            seed: "1".to_owned(),
            deal: 0,
            position: None,
        };
        let mut out = Vec::new();
        let adviser = "random".to_owned();
        Sitting::new(request.open()?, &[0], adviser, Seed::from_u64(1), language)
            .run(lines.as_bytes(), &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn refusals_are_in_the_language_of_the_person() -> Result<()> {
        let lines = "AN\nABCX\nhint nobody\nquit\n";
        let japanese = said(Language::Japanese, lines)?;
        for wanted in [
            "`AN` はここでは指せません。",
            "`ABCX` は手として読めません",
            "エージェントの指定が正しくありません",
        ] {
            assert!(japanese.contains(wanted), "{wanted} is missing: {japanese}");
        }
        assert!(!japanese.contains("is not legal"), "{japanese}");
        assert!(said(Language::English, lines)?.contains("`AN` is not legal here"));
        Ok(())
    }
}
