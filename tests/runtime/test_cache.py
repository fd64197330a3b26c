import multiprocessing
import os
import threading

import pytest

from wax_runtime import cache
from wax_runtime.cache import DiskCache, key_of
from wax_runtime.errors import WaxError


def files(folder):
    return [p for p in folder.glob("??/*") if p.is_file()]


def test_a_value_is_found_again_also_by_another_object(tmp_path):
    DiskCache(tmp_path).put("ab12", b"value")
    assert DiskCache(tmp_path).get("ab12") == b"value"
    assert DiskCache(tmp_path).get("ab13") is None


@pytest.mark.parametrize("value", [b"", b"\0", b"x" * 1_000_000])
def test_values_of_any_length_survive(tmp_path, value):
    DiskCache(tmp_path).put("ab", value)
    assert DiskCache(tmp_path).get("ab") == value


def test_every_flipped_byte_and_every_truncation_is_noticed_and_the_entry_deleted(tmp_path):
    store = DiskCache(tmp_path)
    store.put("ab12", b"some value")
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    damaged = [whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :] for i in range(len(whole))]
    damaged += [whole[:i] for i in range(len(whole))] + [whole + b"x"]
    for data in damaged:
        path.write_bytes(data)
        assert store.get("ab12") is None
        assert not path.exists()
        store.put("ab12", b"some value")
        assert store.get("ab12") == b"some value"


def test_the_entries_used_longest_ago_go_first(tmp_path):
    store = DiskCache(tmp_path, bound=5000)
    for i in range(4):
        store.put(f"{i:02}key", b"x" * 1000)
        os.utime(tmp_path / f"{i:02}" / f"{i:02}key", (i, i))
    assert store.get("00key")  # touched now
    for i in range(4, 7):
        store.put(f"{i:02}key", b"x" * 1000)
    left = {p.name for p in files(tmp_path)}
    assert {"00key", "06key"} <= left
    assert not {"01key", "02key", "03key"} & left
    assert sum(p.stat().st_size for p in files(tmp_path)) <= 5000


def test_a_value_larger_than_the_bound_is_still_kept_until_the_next(tmp_path):
    store = DiskCache(tmp_path, bound=10)
    store.put("aa", b"x" * 100)
    assert store.get("aa")


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    store = DiskCache(tmp_path / "file")
    store.put("aa", b"x")
    assert store.get("aa") is None
    assert "cannot write to the compile cache" in caplog.text


def hammer(folder, seed):
    store = DiskCache(folder, bound=40_000)
    for i in range(150):
        key = f"{(i * seed) % 40:02}"
        store.put(key, key.encode() * 500)
        value = store.get(f"{i % 40:02}")
        assert value is None or value == f"{i % 40:02}".encode() * 500


def test_processes_and_threads_may_share_a_folder(tmp_path, caplog):
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=hammer, args=(tmp_path, seed)) for seed in (3, 7)]
    for process in processes:
        process.start()
    failures = []

    def work(seed):
        try:
            hammer(tmp_path, seed)
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 9)]
    for thread in threads:
        thread.start()
    for running in (*threads, *processes):
        running.join()
    assert not failures
    assert [p.exitcode for p in processes] == [0, 0]
    assert "corrupt" not in caplog.text
    assert not list(tmp_path.glob("??/*.tmp"))


def test_the_key_depends_on_every_part_and_on_where_parts_end(monkeypatch):
    keys = {key_of("a", "b"), key_of("ab", ""), key_of("", "ab"), key_of("a", "b", ""), key_of("b", "a")}
    assert len(keys) == 5
    before = key_of("a")
    monkeypatch.setattr(cache, "host_cpu", lambda: "another CPU")
    assert key_of("a") != before


def test_the_environment_names_the_folder_and_its_bound(monkeypatch, tmp_path):
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("WAX_CACHE_SIZE", "1234")
    found = cache.default_cache()
    assert found is not None
    assert (found.folder, found.bound) == (tmp_path, 1234)
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    assert cache.default_cache() is None
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("WAX_CACHE_SIZE", "1 GB")
    with pytest.raises(WaxError, match="WAX_CACHE_SIZE is '1 GB'"):
        cache.default_cache()


def test_the_fingerprint_of_the_cpu_names_it():
    assert len(cache.host_cpu()) > 10
