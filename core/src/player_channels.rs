use crate::Channel;

/// The channels of one player: name, largest value and description, in which `#` stands for the player's number.
///
/// ```
/// use oboro_core::player_channels;
/// let channels = player_channels(2, &[("to act #", 1, "it is the turn of player #")]);
/// assert_eq!((channels[0].name.as_str(), channels[0].max), ("to act 2", 1));
/// assert_eq!(channels[0].about, "it is the turn of player 2");
/// ```
pub fn player_channels(player: u8, channels: &[(&str, u8, &str)]) -> Vec<Channel> {
    let number = player.to_string();
    let numbered = |text: &str| text.replace('#', &number);
    let channel = |&(name, max, about): &(&str, u8, &str)| {
        Channel::count(numbered(name), max, numbered(about))
    };
    channels.iter().map(channel).collect()
}
