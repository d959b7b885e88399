-- Searches of the companies, and pages far behind, by an index whatever the needle.

-- All runs of so many letters in a folded text: a text holds a needle only if it has all of the needle's runs.
-- Nothing here depends on the server's locale, and no extension is needed (docs/decisions/0018). The cost keeps the planner
-- from working it out for each row; PL/pgSQL takes a third of the time of the same in SQL.
create function text_runs(folded text, shortest integer, longest integer) returns text[]
  language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  letters constant integer := char_length(folded);
  runs text[] := '{}';
  count integer := 0;
begin
  for size in shortest .. longest loop
    for place in 1 .. letters - size + 1 loop
      count := count + 1;
      runs[count] := substr(folded, place, size);
    end loop;
  end loop;
  return runs;
end
$$;

comment on function text_runs(text, integer, integer) is 'All runs of letters in a folded text, from the shortest length to the longest: what searches are indexed by';

create index companies_search on companies using gin ((text_runs(search_text, 1, 3)) collate "C");
-- Searches hide from the planner which runs they ask for: statistics of them would cost time and serve nothing.
alter index companies_search alter column 1 set statistics 0;

create index companies_active_order on companies (name_folded collate "C", id) where active;
-- Counts come from here: equal keys share their entries, so that it has a tenth of the pages of another index.
create index companies_active on companies (active);
