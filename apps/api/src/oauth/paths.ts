export const AUTHORIZATION_PATH = '/oauth2';
export const TOKEN_PATH = '/oauth2/access_token';
export const LOGOUT_PATH = '/oauth2/logout';
export const OPENING_PATH = '/open';
