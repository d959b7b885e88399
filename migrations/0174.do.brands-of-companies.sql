-- Gives companies their own name and looks of the product.
-- Scans: nothing.
alter table companies
  add column brand_name    text,
  add column brand_logo    text,
  add column brand_color   text,
  add column brand_support text,
  add column brand_terms   text,
  add column brand_text    text,
  add column brand_links   text;

comment on column companies.brand_name is 'Name of the product for its people; this and the others null: that of the service';
comment on column companies.brand_logo is 'The whole image, as a data: address';
comment on column companies.brand_links is 'Name=address of each, separated by commas';
