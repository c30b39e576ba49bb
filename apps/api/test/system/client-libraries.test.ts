import { opened } from '@takt/test-support';
import { expect } from 'chai';
import * as openid from 'openid-client';
import { cookieOf, LIST, openSignInPlace, PASSWORD, PLAIN_REDIRECT_URI } from '../oauth/sign-in-place.js';

for (const basePath of ['', '/takt']) {
  describe(`For OAuth 2${basePath === '' ? '' : ', below a base URL with a path'}, the client library`, () => {
    const place = opened(() => openSignInPlace({ basePath }));

    const opens = async (token: string) =>
      (await place.get(`${LIST}?$top=1`, { Authorization: `Bearer ${token}` })).status;

    /**
     * Acts as a browser at the authorization endpoint. Signs in, and returns the address of the redirect to the client.
     */
    async function signIn(address: URL): Promise<URL> {
      const path = address.href.slice(place.baseUrl.length);
      expect((await place.get(path)).status).to.equal(200);
      const response = await place.post(path, { login: place.pid, password: PASSWORD });
      expect(response.status).to.equal(303);
      expect(cookieOf(response)).to.match(/^takt_session=takt_/);
      return new URL(response.headers.get('location') ?? '');
    }

    describe('openid-client', () => {
      const discover = (id: string, authentication: openid.ClientAuth) =>
        openid.discovery(new URL(place.baseUrl), id, undefined, authentication, {
          algorithm: 'oauth2',
          execute: [openid.allowInsecureRequests],
        });

      for (const [name, authenticationOf] of [
        ['client_secret_basic', openid.ClientSecretBasic],
        ['client_secret_post', openid.ClientSecretPost],
      ] as const) {
        it(`finds the endpoints, then gets, uses and revokes a token for the client by ${name}`, async () => {
          const configuration = await discover(place.client.id, authenticationOf(place.client.secret));
          const tokens = await openid.clientCredentialsGrant(configuration);
          expect(tokens.token_type).to.equal('bearer');
          expect(tokens.expiresIn()).to.be.within(3_590, 3_600);
          expect(await opens(tokens.access_token)).to.equal(200);
          const another = await openid.clientCredentialsGrant(configuration);
          await openid.tokenRevocation(configuration, another.access_token);
          expect(await opens(another.access_token)).to.equal(403);
        });
      }

      it('signs a person in by password, and refreshes the token; the old refresh token then ends the new token', async () => {
        const configuration = await discover(place.client.id, openid.ClientSecretBasic(place.client.secret));
        const tokens = await openid.genericGrantRequest(configuration, 'password', {
          username: place.pid,
          password: PASSWORD,
        });
        const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
        expect(await opens(refreshed.access_token)).to.equal(200);
        for (const used of [tokens, refreshed]) {
          const failed = await openid
            .refreshTokenGrant(configuration, used.refresh_token ?? '')
            .catch((error) => error);
          expect(failed).to.be.instanceOf(openid.ResponseBodyError);
          expect(failed.error).to.equal('invalid_grant');
        }
      });

      it('signs a person in for a public client on the sign-in page with PKCE', async () => {
        const configuration = await discover(place.publicClientId, openid.None());
        const verifier = openid.randomPKCECodeVerifier();
        const state = openid.randomState();
        const callback = await signIn(
          openid.buildAuthorizationUrl(configuration, {
            redirect_uri: PLAIN_REDIRECT_URI,
            code_challenge: await openid.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
            state,
          }),
        );
        const checks = { pkceCodeVerifier: verifier, expectedState: state };
        const tokens = await openid.authorizationCodeGrant(configuration, callback, checks);
        expect(await opens(tokens.access_token)).to.equal(200);
        expect(tokens.refresh_token).to.be.a('string');
      });
    });
  });
}
