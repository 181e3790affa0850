function inner() { throw new Error("lost") }
inner();
