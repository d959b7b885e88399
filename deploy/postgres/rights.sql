-- The rights of the service ("Two roles" in docs/database.md): run by the owner, after each migration.
revoke all on schema public from public;
grant usage on schema public to orgdesk_service;
revoke execute on all functions in schema public from public;
alter default privileges for role orgdesk_owner revoke execute on functions from public;
grant select on companies, departments, employee_bands, users, company_roles, system_roles, company_groups,
  own_roles, role_grants, approval_policies, approval_policy_levels, cost_centers, legal_entities,
  tax_registrations, substitutions, field_definitions, bookings, company_payments, api_keys, webhooks,
  group_mappings, sign_in_connections, travellers, traveller_documents, traveller_programmes,
  traveller_arrangers, user_moves, directories, mails, schema_version, company_counts, booking_sums,
  booking_group_sums, department_parents, change_feed, webhook_progress, mail_progress, seen_facts,
  company_group_members, approval_policy_departments, approval_policy_bands, approval_policy_people,
  approval_policy_defaults, approval_policy_level_people, api_key_scopes, webhook_entities, sign_in_domains,
  audit_changes, audit_personal_values, user_identities, sign_ins, scim_users, directory_people,
  directory_groups, directory_group_members, webhook_secrets, webhook_headers, webhook_deliveries,
  kept_answers, domain_proofs, feeds, feed_people, sign_in_refusals, uninvited_people to orgdesk_service;
grant insert on companies, departments, employee_bands, users, company_roles, system_roles, company_groups,
  own_roles, role_grants, approval_policies, approval_policy_levels, cost_centers, legal_entities,
  tax_registrations, substitutions, field_definitions, bookings, company_payments, api_keys, webhooks,
  group_mappings, sign_in_connections, travellers, traveller_documents, traveller_programmes,
  traveller_arrangers, user_moves, directories, mails, webhook_progress, seen_facts, audit_changes,
  audit_personal_values, user_identities, sign_ins, scim_users, directory_people, directory_groups,
  directory_group_members, webhook_secrets, webhook_headers, webhook_deliveries, kept_answers, domain_proofs,
  feeds, feed_people, sign_in_refusals, uninvited_people to orgdesk_service;
grant update (name, legal_name, gstin, email, credit_limit, credit_days, active, default_department_id,
  default_band_id, currency, country, budget_period, fiscal_year_start, time_zone, closed_to, external_key,
  brand_name, brand_logo, brand_color, brand_support, brand_terms, brand_text, brand_links, fields,
  updated_at) on companies to orgdesk_service;
grant update (name, cost_code, budget, budget_history, parent_id, head_id, legal_entity_id, external_key,
  fields, updated_at) on departments to orgdesk_service;
grant delete on departments, employee_bands, company_roles, system_roles, company_groups, own_roles,
  role_grants, approval_policies, approval_policy_levels, cost_centers, legal_entities, tax_registrations,
  substitutions, field_definitions, webhooks, group_mappings, sign_in_connections, travellers,
  traveller_documents, traveller_programmes, traveller_arrangers, user_moves, directories, mails,
  user_identities, sign_ins, scim_users, directory_people, directory_groups, directory_group_members,
  webhook_secrets, webhook_headers, webhook_deliveries, kept_answers, domain_proofs, feeds, feed_people,
  sign_in_refusals, uninvited_people to orgdesk_service;
grant update (name, code, auto_approval_limit, max_booking_limit, external_key, fields, updated_at) on
  employee_bands to orgdesk_service;
grant update (email, first_name, last_name, phone, client_type, department_id, band_id, approval_limit,
  date_of_birth, gender, address_line_1, address_line_2, pincode, loyalty_points, active, external_id,
  employee_number, job_title, cost_center, manager_id, start_date, end_date, substitute_id, substitute_from,
  substitute_until, worker_type, host_id, legal_entity_id, fields, updated_at) on users to orgdesk_service;
grant update (origin) on company_roles, role_grants to orgdesk_service;
grant update (role, active) on system_roles to orgdesk_service;
grant update (name, user_ids, external_key, updated_at) on company_groups to orgdesk_service;
grant update (name, rules, active, updated_at) on own_roles to orgdesk_service;
grant update (name, auto_approval_limit, department_ids, band_ids, conditions, priority, active,
  cost_centers, job_titles, country_codes, worker_types, user_ids, applies_from, applies_until,
  default_user_ids, default_group_id, is_distinct, limit_rule, exclude_reports, reapprove_percent,
  reapprove_amount, external_key, fields, updated_at) on approval_policies to orgdesk_service;
grant update (level, role_required, min_amount, part, max_amount, min_approvers, mode, user_ids, group_id,
  role_id) on approval_policy_levels to orgdesk_service;
grant update (name, code, owner_id, external_key, updated_at) on cost_centers to orgdesk_service;
grant update (name, registered_name, country_code, currency, time_zone, external_id, email, address, active,
  is_default, updated_at) on legal_entities to orgdesk_service;
grant update (type, number, country_code, state_id, address, valid_from, valid_until, is_default) on
  tax_registrations to orgdesk_service;
grant update (user_id, substitute_id, first_day, last_day) on substitutions to orgdesk_service;
grant update (entity, key, label, labels, type, choices, required, default_value, pattern, readable_by,
  writable_by, sensitive, in_list, position, active, updated_at) on field_definitions to orgdesk_service;
grant update (user_id, amount, created_at, department_id, cost_center, reference, status, cancelled_at,
  refund_of, category, travel_date, band_id, legal_entity_id, fields) on bookings to orgdesk_service;
grant update (amount, created_at, reference) on company_payments to orgdesk_service;
grant update (last_used_at, revoked_at, confirmed_by, expires_at, directory_id) on api_keys to
  orgdesk_service;
grant update (url, entities, actions, fields, header_names, headers_changed_at, description, active,
  disabled_reason, secret_rotated_at, key_id, skipped_change_id, created_at, updated_at) on webhooks to
  orgdesk_service;
grant update (group_id, group_name, role, role_id, department_id, band_id, priority) on group_mappings to
  orgdesk_service;
grant update (issuer, discovery_url, audience, client_id, scope, algorithm, subject_claim, token_use,
  emails_verified, guests, demanded_claims, domains, shared_with, agreed_by, relink_until, active, created_at,
  updated_at) on sign_in_connections to orgdesk_service;
grant update (legal_given, legal_middle, legal_family, legal_suffix, title, document_gender, nationality,
  home_city_id, home_city, home_state_id, home_country_code, home_airport, language, time_zone, seat, meal,
  room, accessibility, notes, emergency_name, emergency_relation, emergency_phone, emergency_email,
  updated_at) on travellers to orgdesk_service;
grant update (type, number, last_four, issuing_country, nationality, issued_on, expires_on, is_primary) on
  traveller_documents to orgdesk_service;
grant update (kind, supplier, number, last_four, tier, expires_on) on traveller_programmes to
  orgdesk_service;
grant update (arranger_id, until, may) on traveller_arrangers to orgdesk_service;
grant update (status, decided_at) on user_moves to orgdesk_service;
grant update (name, kind, connection_id, active, created_at) on directories to orgdesk_service;
grant update (status, attempts, next_try_at, error, sent_at) on mails to orgdesk_service;
grant update (claim, subject) on user_identities to orgdesk_service;
grant update on kept_answers, domain_proofs, sign_in_refusals, sign_ins, feeds, feed_people, scim_users,
  directory_people, directory_groups, webhook_secrets, webhook_progress to orgdesk_service;
grant update (position) on audit_changes, change_feed, mail_progress to orgdesk_service;
grant execute on function fold(text), lower_letters(text), text_runs(text, integer, integer),
  country_of_gstin(text), budget_period_start(uuid, date), department_budget(text, date), substitute_on(uuid,
  date), stand_in_on(uuid, date), legal_entity_of(uuid, uuid, uuid), state_of_gstin(text),
  publish_audit_changes(integer), move_users(jsonb) to orgdesk_service;
grant temporary on database orgdesk to orgdesk_service;
