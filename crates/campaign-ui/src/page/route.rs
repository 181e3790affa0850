use super::answer::Refusal;
use super::asset::Asset;
use hyper::Method;

/// The target of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Asset(Asset),
    Summary,
    History,
    Issues,
    Issue(i64),
    /// The test of an issue as a file.
    Test(i64),
    /// The reduced test of an issue as a file.
    Reduced(i64),
    Stop,
    /// The cookie of a browser that has shown the token.
    Session,
    Events,
}

impl Route {
    pub(super) fn of(path: &str) -> Result<Self, Refusal> {
        if let Some(asset) = Asset::at(path) {
            return Ok(Route::Asset(asset));
        }
        let missing = || Refusal::new(404, "There is nothing at this path.");
        let parts: Vec<&str> = path
            .strip_prefix("/api/")
            .unwrap_or("")
            .split('/')
            .collect();
        match parts[..] {
            ["summary"] => Ok(Route::Summary),
            ["history"] => Ok(Route::History),
            ["issues"] => Ok(Route::Issues),
            ["stop"] => Ok(Route::Stop),
            ["session"] => Ok(Route::Session),
            ["events"] => Ok(Route::Events),
            ["issue", id] => Ok(Route::Issue(number(id)?)),
            ["issue", id, "test"] => Ok(Route::Test(number(id)?)),
            ["issue", id, "reduced"] => Ok(Route::Reduced(number(id)?)),
            _ => Err(missing()),
        }
    }

    /// Refuses the methods that the path does not have.
    pub(super) fn check(self, method: &Method) -> Result<(), Refusal> {
        let allowed: &[&str] = match self {
            Route::Issue(_) => &["GET", "HEAD", "POST"],
            Route::Stop | Route::Session => &["POST"],
            _ => &["GET", "HEAD"],
        };
        if allowed.contains(&method.as_str()) {
            return Ok(());
        }
        let names = allowed.join(", ");
        let why = format!("This path has the methods {names} only.");
        Err(Refusal::new(405, why).with("Allow", names))
    }
}

fn number(text: &str) -> Result<i64, Refusal> {
    let id = text.parse().ok().filter(|id| *id > 0);
    id.ok_or_else(|| Refusal::new(400, "The number of an issue is a positive integer."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_existing_targets_and_nothing_else() {
        assert_eq!(Route::of("/").ok(), Some(Route::Asset(Asset::Page)));
        assert_eq!(Route::of("/api/issue/7").ok(), Some(Route::Issue(7)));
        assert_eq!(
            Route::of("/api/issue/7/reduced").ok(),
            Some(Route::Reduced(7))
        );
        for path in ["", "/api", "/api/", "/api/issue/7/", "/../x", "/page.js/"] {
            assert!(Route::of(path).is_err(), "{path}");
        }
        for id in ["0", "-1", "x", "", "99999999999999999999"] {
            assert!(Route::of(&format!("/api/issue/{id}")).is_err(), "{id}");
        }
    }
}
