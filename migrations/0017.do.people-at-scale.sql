-- The people of a company are searched, narrowed and counted in an index alone, however many there are on the platform.

-- What a search looks in and what people are narrowed by stands in the index: the rows themselves are scattered over the whole table.
drop index users_order;
create index users_order on users (company_id, name_folded collate "C", id) include (search_text, active);
drop index users_department;
create index users_department on users (department_id, name_folded collate "C", id) include (company_id);
drop index users_band;
create index users_band on users (band_id, name_folded collate "C", id) include (company_id);

-- Who approves by a platform role, and who is the last Super Admin.
create index system_roles_role on system_roles (role, user_id);
