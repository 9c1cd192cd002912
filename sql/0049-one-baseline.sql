-- Before this, a database has the tables of the baseline: made by the baseline itself, or by the 48 migrations of
-- 0.3.0, after a comparison with it. The records of these migrations are of no further use. As the schema has another
-- number now, 0.3.0 refuses the database as a newer one (decision 103).
delete from schema_migrations
where version < 48;
