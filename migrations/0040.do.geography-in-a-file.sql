-- The geography is served from the file that the program ships, with what GEOGRAPHY_EXTRA adds to it.

drop table if exists alternate_names, cities, states, countries, geography_revision;
drop function if exists note_geography_change();
