//! Strongly connected components.

/// Returns the component of every node of a graph. The components are numbered so that an edge
/// leads to the same or a lower number.
///
/// The stack is a vector, so that a chain of a hundred thousand rules does not overflow it.
///
/// * *Source:* R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
pub(crate) fn components(edges: &[Vec<u32>]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; edges.len()];
    let mut low = vec![0u32; edges.len()];
    let mut component = vec![UNSEEN; edges.len()];
    let (mut next, mut found) = (0, 0);
    let mut open: Vec<u32> = vec![];
    let mut path: Vec<(u32, usize)> = vec![];
    for root in 0..edges.len() as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, at)) = path.last_mut() {
            let v = *node as usize;
            if *at == 0 {
                order[v] = next;
                low[v] = next;
                next += 1;
                open.push(*node);
            }
            if let Some(&to) = edges[v].get(*at) {
                *at += 1;
                let to_at = to as usize;
                if order[to_at] == UNSEEN {
                    path.push((to, 0));
                } else if component[to_at] == UNSEEN {
                    low[v] = low[v].min(order[to_at]);
                }
                continue;
            }
            if low[v] == order[v] {
                while let Some(member) = open.pop() {
                    component[member as usize] = found;
                    if member as usize == v {
                        break;
                    }
                }
                found += 1;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
        }
    }
    component
}

/// Returns which nodes lie on a cycle, given the components of the same graph.
pub(crate) fn on_cycles(edges: &[Vec<u32>], component: &[u32]) -> Vec<bool> {
    let mut size = vec![0u32; edges.len()];
    component.iter().for_each(|&c| size[c as usize] += 1);
    (0..edges.len())
        .map(|v| size[component[v] as usize] > 1 || edges[v].contains(&(v as u32)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_the_cycles() {
        // The edges are 0 → 1 ⇄ 2 → 3, and 4 → 4.
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4]];
        let found = components(&edges);
        assert_eq!(found[1], found[2]);
        assert!(found[0] > found[1] && found[2] > found[3]);
        assert_eq!(on_cycles(&edges, &found), [false, true, true, false, true]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<_> = (1..=200_000).map(|i| vec![i % 200_000]).collect();
        assert!(components(&edges).iter().all(|&c| c == 0));
    }
}
