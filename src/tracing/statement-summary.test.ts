import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryOf } from './statement-spans.ts';

test('the statement summary contains the operations and their tables in order, and nothing else', () => {
  for (const [text, summary] of [
    ['select 1 as one', 'SELECT'],
    ['SELECT * FROM users WHERE id = $1', 'SELECT users'],
    ['insert into users (id) values ($1) on conflict (id) do update set id = $1', 'INSERT users'],
    ['update users set phone = $1 where id = $2', 'UPDATE users'],
    ['delete from public.users where id = $1', 'DELETE public.users'],
    ['select id from users for update', 'SELECT users'],
    ['select a from users left join companies on a is distinct from b', 'SELECT users companies'],
    [
      'with changed as (update users set phone = $1 returning id) insert into changes select id from changed',
      'UPDATE users INSERT changes SELECT changed',
    ],
    ['begin', 'BEGIN'],
    ['', 'STATEMENT'],
  ]) {
    assert.equal(summaryOf(text ?? ''), summary);
  }
});

test('the statement summary has at most 255 characters and ends with a whole word', () => {
  const summary = summaryOf('select a from some_table_or_other union '.repeat(100));
  assert.ok(summary.length <= 255);
  assert.match(summary, /(?: some_table_or_other| SELECT)$/);
});
