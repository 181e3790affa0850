using System;
namespace N {
  public abstract class Thing<T> : Base, I where T : new() {
    private readonly int[] list = { 1, 2 };
    public string Name { get; set; } = "x";
    public Thing(int a, params string[] rest) : base(a) { }
    protected override async Task<int> Run(ref int x, T y = default) {
      foreach (var i in list) { if (i > 1) continue; else break; }
      try { await F($"a {x + 1}"); } catch (Exception e) when (e != null) { throw; } finally { }
      return x switch { 1 => 2, _ => x > 1 ? 3 : 4 };
    }
  }
}
