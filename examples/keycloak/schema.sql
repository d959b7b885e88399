create schema keycloak;
