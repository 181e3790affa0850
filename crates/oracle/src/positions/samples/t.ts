interface Named { name: string }
function hello(named: Named): number {
  return named.age;
}
hello({ name: 1 });
