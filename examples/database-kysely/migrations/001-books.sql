create table book (
  title text primary key,
  pages integer not null check (pages > 0)
);

insert into book values ('Middlemarch', 880), ('Persuasion', 249);
