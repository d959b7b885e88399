/** What the role, the database or the server may have set for whoever connects, by a name. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  'DateStyle German': "DateStyle = 'German, DMY'",
  'DateStyle SQL': "DateStyle = 'SQL, MDY'",
  'a time zone': "TimeZone = 'Asia/Kolkata'",
  'an interval style': "IntervalStyle = 'sql_standard'",
  'serializable transactions': "default_transaction_isolation = 'serializable'",
  'repeatable reads': "default_transaction_isolation = 'repeatable read'",
  'a lock timeout': 'lock_timeout = 5',
  'a statement timeout': 'statement_timeout = 5',
  'an idle session timeout': 'idle_session_timeout = 300',
  'an idle transaction timeout': 'idle_in_transaction_session_timeout = 5',
  'a transaction timeout': 'transaction_timeout = 300',
  'backslashes in texts': 'standard_conforming_strings = off',
  'an encoding of clients': "client_encoding = 'LATIN1'",
  'octal bytes': "bytea_output = 'escape'",
  'short floats': 'extra_float_digits = -15',
  'quoted names': 'quote_all_identifiers = on',
  'arrays without nulls': 'array_nulls = off',
  'deferrable transactions': 'default_transaction_deferrable = on',
  'every check of functions': "plpgsql.extra_errors = 'all'",
  'nulls that are equal': 'transform_null_equals = on',
};

/** PostgreSQL 17 and newer alone have it. */
export const SINCE_17 = 'a transaction timeout';
