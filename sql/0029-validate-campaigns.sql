-- In a transaction of its own: a validation reads the whole table, under a lock that lets everybody go on writing.

alter table ledger_entries validate constraint ledger_entries_kind_check;
