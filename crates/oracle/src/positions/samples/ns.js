class Broken {
  #field = 1;
  static read(other) { return other.#missing }
}
