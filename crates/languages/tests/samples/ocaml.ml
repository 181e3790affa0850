open List
type 'a tree = Leaf | Node of 'a tree * 'a
let rec f x = match x with
  | Leaf -> 0
  | Node (l, _) when true -> 1 + f l
  | _ -> let y = [1; 2] in fold_left (+) 0 y
let () = print_endline "x"; if f Leaf > 1 then () else ignore (fun a -> a)
