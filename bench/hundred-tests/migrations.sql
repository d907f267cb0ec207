-- A schema of usual size: 30 tables, each with two indexes and 50 rows.
do $$
begin
  for number in 1..30 loop
    execute format('create table table_%s (id int generated always as identity primary key, name text not null, made timestamptz default now())', number);
    execute format('create index on table_%s (name)', number);
    execute format('create index on table_%s (made)', number);
    execute format('insert into table_%s (name) select ''row '' || n from generate_series(1, 50) as n', number);
  end loop;
end
$$;
