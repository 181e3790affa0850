use indicatif::HumanCount;
use nubbin_oracle::PlaceCounts;

/// Returns the line for a report with the number of tests by machine.
pub fn places_line(counts: &PlaceCounts) -> String {
    format!(
        "places: {} tests on the farm in {} actions, {} known to it, {} on this machine",
        HumanCount(counts.there),
        HumanCount(counts.actions),
        HumanCount(counts.known),
        HumanCount(counts.here),
    )
}
