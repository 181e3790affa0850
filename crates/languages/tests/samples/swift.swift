import Foundation
protocol P { func f(_ x: Int) -> String }
struct S: P {
    var n: Int = 1
    func f(_ x: Int) -> String {
        guard x > 1 else { return "a" }
        for i in 0..<x { if i == 2 { continue } }
        switch x { case 1, 2: return "b \(x)"; default: break }
        return [1, 2].map { $0 + 1 }.description
    }
}
