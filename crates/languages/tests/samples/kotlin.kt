package a.b
import c.d
data class Point(val x: Int, var y: Int = 2) : Base(x), I
fun <T> run(a: List<T>, block: (T) -> Unit): Int? {
    for (i in a) { if (i == null) continue else block(i) }
    val s = when (a.size) { 0, 1 -> "x ${a.size}"; else -> null }
    while (true) { break }
    return try { s?.length ?: 1 } catch (e: Exception) { 0 }
}
