//! Writes words and numbers to cells.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// Writes a text to the first row of an area, and cuts the text at the end of the row.
pub fn put(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    put_line(buffer, area, &Line::styled(text.to_owned(), style));
}

/// Writes a line with several styles to the first row of an area.
pub fn put_line(buffer: &mut Buffer, area: Rect, line: &Line<'_>) {
    let area = area.intersection(buffer.area);
    if area.height > 0 && area.width > 0 {
        buffer.set_line(area.x, area.y, line, area.width);
    }
}

/// Writes a text to the right end of the first row of an area.
pub fn put_right(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    let width = (text.width() as u16).min(area.width);
    let area = Rect {
        x: area.right() - width,
        width,
        ..area
    };
    put(buffer, area, text, style);
}

/// Returns one row of an area. The row is empty if the area has no such row.
pub fn row(area: Rect, row: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(row),
        height: u16::from(row < area.height),
        ..area
    }
}

/// Writes the title of a panel on a rule. Returns the area for its content.
pub fn titled(buffer: &mut Buffer, area: Rect, title: &str, rule: Style) -> Rect {
    if area.height == 0 {
        return area;
    }
    put(buffer, area, &"─".repeat(area.width.into()), rule);
    let inside = Rect {
        x: area.x + 2.min(area.width),
        width: area.width.saturating_sub(4),
        ..area
    };
    put(buffer, inside, &format!(" {title} "), Style::new());
    Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    }
}

/// Joins as many items as fit, with a separator.
pub fn fitting(items: Vec<(String, Style)>, between: &'static str, width: u16) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = vec![];
    let mut used = 0;
    for (text, style) in items {
        let gap = if spans.is_empty() { 0 } else { between.len() };
        if used + gap + text.width() > width.into() {
            break;
        }
        used += gap + text.width();
        if gap > 0 {
            spans.push(Span::raw(between));
        }
        spans.push(Span::styled(text, style));
    }
    Line::from(spans)
}

/// Formats a number with separated thousands.
pub fn count(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// Formats a number in at most six characters.
pub fn short(number: u64) -> String {
    const UNITS: [&str; 5] = ["k", "M", "G", "T", "P"];
    if number < 10_000 {
        return number.to_string();
    }
    let mut value = number as f64 / 1000.0;
    for unit in UNITS {
        if value < 999.5 {
            let digits = usize::from(value < 99.95);
            return format!("{value:.digits$}{unit}");
        }
        value /= 1000.0;
    }
    "huge".into()
}

/// Formats a time as a clock.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Formats a time. A short time has tenths of a second.
pub fn short_time(duration: Duration) -> String {
    if duration < Duration::from_secs(60) {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        time(duration)
    }
}

/// Shortens a text to a number of columns by leaving out its middle.
pub fn squeeze(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else {
        return String::new();
    };
    let part = |chars: &mut dyn Iterator<Item = char>, room: usize| {
        let mut used = 0;
        chars
            .take_while(|&c| {
                used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
                used <= room
            })
            .collect::<String>()
    };
    let head = part(&mut text.chars(), room - room / 2);
    let tail = part(&mut text.chars().rev(), room / 2);
    format!("{head}…{}", tail.chars().rev().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0, "0"),
            (9_999, "9999"),
            (10_000, "10.0k"),
            (99_960, "100k"),
            (999_499, "999k"),
            (999_600, "1.0M"),
            (4 << 30, "4.3G"),
        ] {
            assert_eq!(short(number), text);
        }
        assert_eq!(short(u64::MAX), "huge");
    }

    #[test]
    fn times_are_read_like_a_clock() {
        assert_eq!(time(Duration::from_secs(59)), "0:59");
        assert_eq!(time(Duration::from_secs(3_725)), "1:02:05");
        assert_eq!(short_time(Duration::from_millis(250)), "0.2 s");
    }

    #[test]
    fn a_long_text_loses_its_middle() {
        assert_eq!(squeeze("short", 5), "short");
        assert_eq!(squeeze("abcdefghij", 5), "ab…ij");
        assert_eq!(squeeze("abc", 0), "");
        assert!(squeeze("日本語日本語", 5).width() <= 5);
    }
}
