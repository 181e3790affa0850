//! A JavaScript engine with planted bugs, for tests: QuickJS-ng, with objects whose calls may fail
//! an assertion.
//!
//! `engine FILE` runs a script, and `engine --version` prints a version. It is built with the
//! tests, since `cargo test` builds the examples of its package.

#![expect(
    clippy::disallowed_methods,
    reason = "this is an engine, and prints as one"
)]

use rquickjs::{CatchResultExt, Coerced, Context, Function, Runtime};
use std::io::Write;
use std::process::ExitCode;

/// The planted bugs. `fail` prints the message of an assertion and aborts; no script has it.
const PLANTED: &str = r#"
(function (fail) {
  var armed = false;
  function Key(depth) { this.depth = depth; }
  function Lock(key) {
    if (!(key instanceof Key)) { throw new TypeError("no key"); }
    this.key = key;
  }
  // One call with an argument of the right type.
  Key.copy = function copy(key) {
    if (key instanceof Key && key.depth === undefined) { fail("key.c:10: copy: Assertion `key->depth' failed."); }
    return key;
  };
  // A receiver that must be constructed of a key, and an argument of its own type.
  Lock.prototype.turn = function turn(lock) {
    if (this.key && lock instanceof Lock && lock.key && lock.key.depth === undefined) {
      fail("lock.c:20: turn: Assertion `lock->key' failed.");
    }
    return this;
  };
  // Two expressions.
  var gate = {
    arm: function arm() { armed = true; },
    fire: function fire() { if (armed) { fail("gate.c:30: fire: Assertion `!armed' failed."); } },
    // Must never be called.
    quit: function quit() { fail("gate.c:40: quit: Assertion `0' failed."); }
  };
  // A getter that must not be called on its prototype.
  Object.defineProperty(Key.prototype, "size", {
    get: function () {
      if (this === Key.prototype) { fail("key.c:50: size: Assertion `is_key' failed."); }
      return 1;
    }
  });
  this.Key = Key;
  this.Lock = Lock;
  this.gate = gate;
})
"#;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let Some(path) = args.next() else {
        return ExitCode::from(2);
    };
    if path == "--version" {
        let _ = writeln!(std::io::stdout(), "planted 1.0");
        return ExitCode::SUCCESS;
    }
    let run = || -> Result<bool, Box<dyn std::error::Error>> {
        let script = std::fs::read(&path)?;
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(512 << 20);
        let context = Context::full(&runtime)?;
        context.with(|ctx| {
            let print = Function::new(ctx.clone(), |line: Coerced<String>| {
                let _ = writeln!(std::io::stdout(), "{}", line.0);
            })?;
            ctx.globals().set("print", print)?;
            let fail = Function::new(ctx.clone(), |message: String| -> () {
                let _ = writeln!(std::io::stderr(), "engine: {message}");
                std::process::abort();
            })?;
            let plant: Function<'_> = ctx.eval(PLANTED)?;
            plant.call::<_, ()>((rquickjs::function::This(ctx.globals()), fail))?;
            let mut options = rquickjs::context::EvalOptions::default();
            options.strict = false;
            let ran: rquickjs::Result<()> = ctx.eval_with_options(script, options);
            if let Err(error) = ran.catch(&ctx) {
                let _ = writeln!(std::io::stderr(), "{error}");
                return Ok(false);
            }
            Ok(true)
        })
    };
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "engine: {error}");
            ExitCode::from(2)
        }
    }
}
