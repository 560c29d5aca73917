/** A self-signed certificate for localhost and its key, for tests alone. Valid for a hundred years from 2026. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUSLzUgIVIle3UwDmBjimEhymF9YYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDA5MzcxMloYDzIxMjYxMDI3
MDkzNzEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATsbPixcxfOhzXXivp951Zt7of/fRoMOysl0h4zKz6oEEJWzZLYmQi8
p537tVhdunsbg783fa4R1JNn9iZXYMfMo28wbTAdBgNVHQ4EFgQUvyrMze1JVACQ
oo9TUgARfDkzNB8wHwYDVR0jBBgwFoAUvyrMze1JVACQoo9TUgARfDkzNB8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAKwXCuUwbKmFzADzKHTqhBCnwHRplII1vnKtMlDP9B0mAiEA
1D5FFwFrnkWvwonL7YjZH5XLSW+UH8D+5aH2V7ZDxwI=
-----END CERTIFICATE-----
`;

export const testCertificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5wup0GaP6yBoEYsk
eB4NfYTess2El0nh3uy7j0zcjm+hRANCAATsbPixcxfOhzXXivp951Zt7of/fRoM
Oysl0h4zKz6oEEJWzZLYmQi8p537tVhdunsbg783fa4R1JNn9iZXYMfM
-----END PRIVATE KEY-----
`;
