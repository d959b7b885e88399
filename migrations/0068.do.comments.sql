-- Tells in the database what keys, indexes, triggers and columns are for.
-- Scans: nothing.

comment on domain display_name is 'A name as people read it: trimmed, not empty, no control characters';
comment on domain money_amount is 'An amount of money that cannot be negative, NaN or infinite (numeric takes both words)';

comment on column companies.name_folded is 'What lists are ordered by; in its row, as it would be fetched again for each comparison of a sort';
comment on column companies.search_text is 'What searches look in. A folded text has no line feed, so no match runs across two fields';
comment on constraint companies_default_department on companies is 'Deferrable: a company is made before its first department and band';
comment on index companies_active is 'For counts: equal keys share their entries, so that it has a tenth of the pages of another index';
comment on index companies_search is 'Searches, whatever the needle. They hide from the planner which runs they ask for, so it has no statistics';
comment on constraint departments_company_id_id_key on departments is 'The target of other keys: what refers to a department is of the same company';
comment on constraint employee_bands_company_id_id_key on employee_bands is 'The target of other keys: what refers to a band is of the same company';

comment on constraint users_of_company on users is 'The target of the keys of managers, substitutes and heads: they are people of the same company';
comment on constraint users_company_id_department_id_fkey on users is 'Deferrable, so that a department can move to another company together with its people';
comment on constraint users_company_id_band_id_fkey on users is 'Deferrable, so that a band can move to another company together with its people';
comment on constraint users_manager on users is 'Deferrable, so that people can move to another company together';
comment on index users_order is 'Pages of the people of a company, with what they are searched in and narrowed by: the rows are scattered over the table';

comment on constraint company_roles_user_id_company_id_role_key on company_roles is 'Deferrable, so that rows can swap theirs';
comment on index company_roles_holders is 'Counts and names approvers alone, however many hold a role';
comment on index system_roles_role is 'Who approves by a platform role, and who is the last Super Admin';
comment on constraint approval_policy_levels_policy_id_level_key on approval_policy_levels is 'Deferrable, so that levels can be reordered';

comment on table company_counts_users is 'Apart, so that a TRUNCATE of what is counted can be one of its counts';
comment on column company_counts.company_id is 'No foreign key: each would be a look at the company that the counted row''s own key has had';
comment on index company_counts_company is 'By id: a transaction finds what it added last without passing what it has merged already';
comment on trigger company_counts_written on company_counts is
  'Only triggers write. Others are ignored, not refused: a restored dump of the data brings these rows, and triggers have counted its people';
comment on trigger booking_sums_written on booking_sums is 'Only triggers write, as in company_counts';
comment on trigger bookings_moved on bookings is 'Counted row by row: almost no update moves a row';
comment on function ignore_row() is 'Leaves a row out';

comment on column audit_changes.id is 'Taken while the changed row is locked: among the changes of one row a later one has a higher id';
comment on column audit_changes.entity is 'What was changed, as the API calls it; the code knows which there are';
comment on index audit_changes_position is 'Says itself that no place is given twice';
comment on index audit_changes_thing is 'The changes of a thing. Those of people are found by the person: what concerns nobody is changed seldom';
comment on index audit_changes_level is 'Of levels of a policy that are gone the trail alone knows whose they were';
comment on index audit_changes_request is 'The changes of one request, of one import, or, where there is neither, of one command';
comment on trigger audit_changes_unchanged on audit_changes is 'All that may be written later on is the position, once';
comment on trigger audit_personal_values_unchanged on audit_personal_values is 'Rows of it may go: that is what erasing is';
comment on column audit_personal_values.change_id is 'No foreign key: both rows are written by one statement';
comment on function refuse_audit_change() is 'Refuses to change or remove what the trail has';

comment on constraint user_identities_account on user_identities is
  'Known by each connection apart, so that nobody at one of them touches the links of another';
comment on constraint user_identities_user on user_identities is
  'Whoever gets a used e-mail address at the provider later on does not get the user of the one before';
comment on function keep_sign_in_domains() is 'Keeps the domains of a connection apart, each once';
