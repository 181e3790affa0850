"""Other reducers. A module for each says how it is run with the counter."""

from __future__ import annotations

from bench.peers import (
    afl_tmin,
    aigdd,
    cnfdd,
    creduce,
    cvise,
    ddsmt,
    halfempty,
    lithium,
    llvm_reduce,
    shrinkray,
    spirv_reduce,
    sqlreduce,
    wasm_reduce,
    wasm_tools_shrink,
)
from bench.peers.peer import Peer

PEERS: dict[str, Peer] = {
    module.PEER.name: module.PEER
    for module in (cvise, creduce, shrinkray, lithium, afl_tmin, halfempty, llvm_reduce, spirv_reduce, wasm_reduce,
                   wasm_tools_shrink, ddsmt, cnfdd, aigdd, sqlreduce)
}
