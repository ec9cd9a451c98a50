"""The store loses nothing but what is damaged, and says what that is."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from sorrel.store import lockfile
from sorrel.store.block import Block, Claim, Damaged, read_block


def block(number: int, contract: str = "(define-fun f ((a0 Int)) Bool (<= a0 7))") -> Block:
    return Block(
        f"src/a.c:f{number:03}", "assertions LP64 ideal 1", f"c{number}", ("src/b.c:g=1",), Claim.PROVED, (contract,)
    )


def blocks(count: int) -> dict[tuple[str, str], Block | None]:
    return {each.key: each for each in map(block, range(count))}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(20))
    found = lockfile.read(path)
    assert {key: each[0] for key, each in found.blocks.items()} == blocks(20)
    assert found.ignored == []


def test_the_same_blocks_make_the_same_bytes_in_whatever_order_they_came(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    lockfile.write(one, blocks(9))
    for key, each in reversed(blocks(9).items()):
        lockfile.write(other, {key: each})
    assert one.read_bytes() == other.read_bytes()


def test_a_block_can_be_replaced_and_removed(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(3))
    newer = block(1, "(define-fun f ((a0 Int)) Bool true)")
    lockfile.write(path, {newer.key: newer, block(2).key: None})
    assert {key: each[0] for key, each in lockfile.read(path).blocks.items()} == {
        block(0).key: block(0),
        newer.key: newer,
    }


def test_one_changed_byte_costs_at_most_one_block_and_changes_none(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(10))
    original, chance = path.read_bytes(), random.Random(1)
    for _ in range(300):
        at = chance.randrange(len(original))
        data = bytearray(original)
        data[at] = chance.randrange(256)
        path.write_bytes(data)
        found = lockfile.read(path)
        read = {key: each[0] for key, each in found.blocks.items()}
        assert len(read) >= 9
        assert all(blocks(10).get(key) == each for key, each in read.items())
        assert len(read) == 10 or found.ignored


def test_a_file_that_was_cut_off_keeps_the_blocks_before_the_cut(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(10))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    found = lockfile.read(path)
    assert len(found.blocks) >= 4
    assert len(found.ignored) == 1
    assert "is ignored" in found.ignored[0]


def test_both_sides_of_a_conflict_are_read_where_they_are_whole(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    one, other = block(1), block(1, "(define-fun f ((a0 Int)) Bool true)")
    lines = ["<<<<<<< ours", *one.lines(), "=======", *other.lines(), ">>>>>>> theirs", "", *block(2).lines()]
    path.write_text("\n".join(lines))
    found = lockfile.read(path)
    assert found.blocks[one.key] == [one, other]
    assert found.blocks[block(2).key] == [block(2)]


def test_a_conflict_inside_a_block_costs_that_block(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    lines = block(1).lines()
    path.write_text("\n".join([*lines[:4], "<<<<<<< ours", *lines[4:], *block(2).lines()]))
    found = lockfile.read(path)
    assert list(found.blocks) == [block(2).key]
    assert "f001" in found.ignored[0]


@pytest.mark.parametrize("line", ["contract = [1, 2]", 'verdict = "holy"', "id = 7", "seconds = true", "clauses = ["])
def test_a_block_with_a_right_digest_and_wrong_fields_is_damaged(line: str) -> None:
    from sorrel.store.block import digest_of

    lines = [each for each in block(1).lines()[1:-1] if each.split(" = ")[0] != line.split(" = ")[0]]
    lines.append(line)
    with pytest.raises(Damaged):
        read_block([*lines, f'digest = "{digest_of(lines)}"'])


def test_long_contracts_stand_in_files_of_their_own_that_are_checked(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    long = block(1, "(define-fun f ((a0 Int)) Bool (and " + "(<= a0 7) " * 900 + "))")
    lockfile.write(path, {long.key: long, block(2).key: block(2)})
    assert lockfile.read(path).blocks[long.key] == [long]
    (file,) = (tmp_path / "sorrel.lock.d").glob("*.smt2")
    file.write_text("(define-fun f ((a0 Int)) Bool true)")
    found = lockfile.read(path)
    assert long.key not in found.blocks
    assert "was changed" in found.ignored[0]
    lockfile.write(path, {long.key: None})
    assert not (tmp_path / "sorrel.lock.d").exists()


def test_a_block_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    outside = block(1, "file:../../../etc/passwd")
    path.write_text("\n".join(outside.lines()))
    assert "cannot be one of ours" in lockfile.read(path).ignored[0]


def test_a_store_that_cannot_be_written_says_so_and_stays(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to the superuser")
    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(2))
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(lockfile.NotStored, match="cannot be written"):
            lockfile.write(path, {block(3).key: block(3)})
    finally:
        tmp_path.chmod(0o700)
    assert len(lockfile.read(path).blocks) == 2


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(2))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(lockfile.NotStored, match="No space left"):
        lockfile.write(path, {block(3).key: block(3)})
    monkeypatch.undo()
    assert len(lockfile.read(path).blocks) == 2
    assert not list(tmp_path.glob("*.tmp"))


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / lockfile.NAME
    code = (
        "import sys; from pathlib import Path; from sorrel.store import lockfile; from sorrel.store.block import *\n"
        "for i in range(25):\n"
        "    each = Block(f'{sys.argv[1]}:{i}', 'a', 'c', (), Claim.PROVED)\n"
        f"    lockfile.write(Path({str(path)!r}), {{each.key: each}})\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(lockfile.read(path).blocks) == 50


def test_git_merges_what_two_people_did_to_different_blocks(tmp_path: Path) -> None:
    def git(*words: str) -> int:
        given = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(given, capture_output=True, check=False).returncode

    path = tmp_path / lockfile.NAME
    lockfile.write(path, blocks(10))
    git("init", "-q", "-b", "one")
    git("add", lockfile.NAME)
    git("commit", "-qm", "start")
    git("checkout", "-qb", "two")
    mine, theirs = block(3, "(define-fun f ((a0 Int)) Bool true)"), block(4, "(define-fun f ((a0 Int)) Bool false)")
    lockfile.write(path, {mine.key: mine})
    git("commit", "-qam", "mine")
    git("checkout", "-q", "one")
    lockfile.write(path, {theirs.key: theirs})
    git("commit", "-qam", "theirs")
    assert git("merge", "-q", "two") == 0
    found = lockfile.read(path)
    assert found.blocks[mine.key] == [mine]
    assert found.blocks[theirs.key] == [theirs]
    assert len(found.blocks) == 10
