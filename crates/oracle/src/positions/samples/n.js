function inner(value) {
  return value.missing.name;
}
inner({});
