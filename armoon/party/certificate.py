"""A certificate made at home: phones speak TLS with the house, and its fingerprint is shown beside the code."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from ipaddress import ip_address

#: Validity of the certificate: from a little before now, for clocks that are slow, and for longer than an evening.
_BEFORE, _VALID = timedelta(days=1), timedelta(days=7)


def make_certificate(names: tuple[str, ...]) -> str:
    """Return a new key and its certificate for these names and addresses, as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "armoon")])
    now = datetime.now(timezone.utc)
    built = x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
    built = built.not_valid_before(now - _BEFORE).not_valid_after(now + _VALID)
    built = built.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    known: list[x509.GeneralName] = []
    for name in names:
        try:
            known.append(x509.IPAddress(ip_address(name)))
        except ValueError:
            known.append(x509.DNSName(name))
    signed = built.add_extension(x509.SubjectAlternativeName(known), critical=False).sign(
        key, hashes.SHA256()
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return (private + signed.public_bytes(serialization.Encoding.PEM)).decode()


def is_for(certificate: str, names: tuple[str, ...]) -> bool:
    """Whether a certificate, as PEM, is valid for another day and for exactly these names and addresses."""
    from cryptography import x509

    try:
        found = x509.load_pem_x509_certificate(certificate.encode())
        listed = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    lives = found.not_valid_after_utc > datetime.now(timezone.utc) + timedelta(days=1)
    return lives and {str(one.value) for one in listed} == set(names)
