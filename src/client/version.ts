/** The version of the service and of its client. */
export const VERSION = '0.2.0';
