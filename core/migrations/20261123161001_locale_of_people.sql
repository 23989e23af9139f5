-- How people read the interface; null follows the browser, or the language.
alter table users
  -- BCP 47, of a folder of core/languages or en
  add column language text check (length(language) <= 35),
  -- IANA
  add column time_zone text check (length(time_zone) <= 64),
  -- BCP 47 of a place whose figures are written so
  add column number_format text check (length(number_format) <= 35);
