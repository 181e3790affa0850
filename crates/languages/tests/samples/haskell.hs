module Main (main) where
import qualified Data.Map as M
data Tree a = Leaf | Node (Tree a) a (Tree a) deriving (Show, Eq)
insert :: Ord a => a -> Tree a -> Tree a
insert x Leaf = Node Leaf x Leaf
insert x t@(Node l y r)
  | x < y = Node (insert x l) y r
  | otherwise = t
main :: IO ()
main = do
  let xs = [1, 2 .. 10]
  mapM_ (\x -> print (x + 1)) xs
