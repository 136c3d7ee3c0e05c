//! Random and mutated inputs, to the codec and to a server.

use crate::common;
use crate::fuzzing;

use common::{Server, quick};

#[test]
fn mutated_inputs_through_the_codec_and_the_session_are_judged_right() {
    oboro_testkit::fuzz(1, |rng| {
        let met = fuzzing::codec(200_000, rng.bits());
        // The run reaches deep: games are played to their ends, and thousands of lines are accepted.
        assert!(met.games > 20 && met.accepted > 10_000, "{met:?}");
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutated_inputs_to_a_live_server_are_judged_right() {
    let mut options = quick(40);
    options.session.ng_terminates = false;
    let server = Server::start(&options).await;
    let ports = [server.port(0), server.port(1)];
    let met = fuzzing::socket(ports, 40, 3_000, 1).await;
    assert!(met.games > 2 && met.accepted > 200, "{met:?}");
    server.stop().await;
}
