package a.b
import c.{D, E => F}
trait Shape { def area: Double = 1.0 }
case class Circle(r: Double = 1) extends Shape with Ordered[Circle] {
  override def area = if (r > 0) r * r else 0
  def f(xs: List[Int]): Any = xs match { case Nil => "x" case h :: t if h > 1 => for (x <- t) yield x case _ => () }
}
object Main { def main(args: Array[String]): Unit = println(s"a ${args.length}") }
