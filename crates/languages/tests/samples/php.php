<html><?php
namespace A\B;
use C\D as E;
abstract class Thing extends Base implements I {
  const X = 1;
  private ?int $n = null;
  public function __construct(protected string $s = "x $n", int ...$rest) { parent::__construct(); }
  abstract static function f(): void;
}
function g(array $a, &$b) { foreach ($a as $k => $v) { if ($v > 1) continue; elseif (!$k) break; else echo $v, PHP_EOL; } return fn($x) => $x ** 2; }
$x = ['a' => 1, 2, ...$y] + match (true) { 1, 2 => 'a', default => null };
try { throw new \Exception('e'); } catch (A | B $e) { } finally { unset($x['a']); }
?>
<p><?= $x ?></p></html>
