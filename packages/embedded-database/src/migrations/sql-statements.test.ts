import { describe, expect, it } from 'vitest';
import { splitStatements } from './sql-statements.ts';

const postgresql = (sql: string) => splitStatements(sql, 'postgresql').map(({ text }) => text);
const mysql = (sql: string) => splitStatements(sql, 'mysql').map(({ text }) => text);

describe('splitting PostgreSQL statements', () => {
  it.each([
    ['nothing', ' -- only a comment\n/* and another */ ;;', []],
    ['a last statement without semicolon', 'select 1; select 2', ['select 1', 'select 2']],
    ['a semicolon in a string', `select ';', 'it''s;'; select 2`, [`select ';', 'it''s;'`, 'select 2']],
    ['a backslash in an escape string', String.raw`select e'\';'; select 2`, [String.raw`select e'\';'`, 'select 2']],
    ['a backslash in a plain string', String.raw`select '\'; select 2`, [String.raw`select '\'`, 'select 2']],
    ['a semicolon in an identifier', 'select ";"; select 2', ['select ";"', 'select 2']],
    ['a body in dollar quotes', 'do $$ begin; end $$; select 2', ['do $$ begin; end $$', 'select 2']],
    ['a tag in dollar quotes', 'do $a$ $$; $b$ $a$; select 2', ['do $a$ $$; $b$ $a$', 'select 2']],
    ['a dollar in an identifier', 'select a$b; select c$d', ['select a$b', 'select c$d']],
    ['comments within comments', 'select /* ; /* ; */ ; */ 1; select 2', ['select /* ; /* ; */ ; */ 1', 'select 2']],
    ['a semicolon in a line comment', 'select 1 -- ;\n+ 1; select 2', ['select 1 -- ;\n+ 1', 'select 2']],
    [
      'a body in standard SQL',
      'create function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
      ['create function f() returns int begin atomic select case when true then 1 end; select 2; end', 'select 3'],
    ],
    ['a transaction', 'begin; select 1; end; select 2', ['begin', 'select 1', 'end', 'select 2']],
  ])('sees %s', (_what, sql, statements) => expect(postgresql(sql)).toEqual(statements));

  it('takes the rows of COPY as they are, up to the backslash and the dot', () => {
    const sql = "copy a (n) from stdin;\n1\n;'\n\\.\n\nCOPY public.b FROM stdin WITH (FORMAT csv);\r\n\\.\r\nselect 1;";
    expect(splitStatements(sql, 'postgresql')).toEqual([
      { text: 'copy a (n) from stdin', line: 1, data: "1\n;'\n" },
      { text: 'COPY public.b FROM stdin WITH (FORMAT csv)', line: 6, data: '' },
      { text: 'select 1', line: 8 },
    ]);
  });

  it('takes a command of psql as a statement of its own', () => {
    const sql = "\\restrict a'b\nselect '\\a';\n\\set x 1\nselect 1 \\gexec\n";
    expect(postgresql(sql)).toEqual(["\\restrict a'b", "select '\\a'", '\\set x 1', '\\gexec', 'select 1 \\gexec']);
  });

  it('counts the lines to where a statement begins, comments before it left out', () => {
    const lines = splitStatements('-- one\n\nselect 1;\n/* four\n*/ select\n2', 'postgresql').map(({ line }) => line);
    expect(lines).toEqual([3, 5]);
  });
});

describe('splitting MySQL statements', () => {
  it.each([
    ['quotes of all kinds', "select `;`, \";\", ';\\';'; select 2", ["select `;`, \";\", ';\\';'", 'select 2']],
    ['both line comments', 'select 1; # ;\n-- ;\nselect 2', ['select 1', 'select 2']],
    ['a minus before a number', 'select 1--2; select 3', ['select 1--2', 'select 3']],
    [
      'another delimiter',
      'delimiter //\ncreate procedure p() begin select 1; end//\nDELIMITER ;\nselect 2;',
      ['create procedure p() begin select 1; end', 'select 2'],
    ],
  ])('sees %s', (_what, sql, statements) => expect(mysql(sql)).toEqual(statements));
});
