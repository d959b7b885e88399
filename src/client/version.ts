/** The version of the service and of its client. */
export const VERSION = '1.0.0-rc.1';
